// What the import of any file costs.
