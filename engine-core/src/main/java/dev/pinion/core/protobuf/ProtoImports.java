package dev.pinion.core.protobuf;

import org.jspecify.annotations.Nullable;

/** Finds the files that {@code .proto} files import. */
@FunctionalInterface
public interface ProtoImports {
  /**
   * An imported file; null when there is none, which is reported.
   *
   * @param importing the file that imports it
   * @param path the path in its import
   * @param offset index of the path in the importing text
   */
  @Nullable ProtoDocument find(ProtoDocument importing, String path, int offset);
}
