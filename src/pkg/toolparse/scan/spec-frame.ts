import type { Advance, Frame, Reading } from './frame.js';
import type { TextView } from './text-view.js';

/** What every frame is told when its opening mark was found. */
export interface FrameSpec {
  readonly format: string;
  readonly start: number;
  readonly declaredOnly: boolean;
  readonly tentative?: boolean;
}

/** A frame that is what its spec says; how it goes on is for each kind to know. */
export abstract class SpecFrame<S extends FrameSpec> implements Frame {
  constructor(readonly spec: S) {}

  get format(): string {
    return this.spec.format;
  }

  get start(): number {
    return this.spec.start;
  }

  get declaredOnly(): boolean {
    return this.spec.declaredOnly;
  }

  get tentative(): boolean {
    return this.spec.tentative ?? false;
  }

  abstract advance(view: TextView): Advance;
  abstract read(text: string): Reading;
}
