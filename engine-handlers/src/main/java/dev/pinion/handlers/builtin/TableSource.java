package dev.pinion.handlers.builtin;

/** Where a reference table comes from; kept up to date off the path of messages. Any thread. */
interface TableSource extends AutoCloseable {
  /** The table in force: one read of a reference. */
  ReferenceTable table();

  @Override
  void close();
}
