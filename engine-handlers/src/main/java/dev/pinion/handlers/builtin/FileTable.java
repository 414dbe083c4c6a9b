package dev.pinion.handlers.builtin;

/** A table in a file. */
record FileTable(FileSnapshot<ReferenceTable> file) implements TableSource {
  @Override
  public ReferenceTable table() {
    return file.content();
  }

  @Override
  public void close() {
    file.close();
  }
}
