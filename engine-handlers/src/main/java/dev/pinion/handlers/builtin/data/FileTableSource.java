package dev.pinion.handlers.builtin.data;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.builtin.FileSnapshot;
import org.jspecify.annotations.Nullable;

/** A table in a file. */
record FileTableSource(FileSnapshot<ReferenceTable> file) implements TableSource {
  @Override
  public @Nullable Payload row(String key) {
    return file.content().row(key);
  }

  @Override
  public void close() {
    file.close();
  }
}
