package dev.pinion.core.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.util.List;
import java.util.Map;

/**
 * What a {@code .proto} file declares; names are not resolved.
 *
 * @param document the file
 * @param proto its descriptor
 * @param imports its imports, in the order of {@code proto}'s dependencies
 * @param places index in the text of each declaration, by its full name
 */
record ProtoFile(
    ProtoDocument document,
    FileDescriptorProto proto,
    List<ImportStatement> imports,
    Map<String, Integer> places) {
  /** Copies list and map. */
  ProtoFile {
    imports = List.copyOf(imports);
    places = Map.copyOf(places);
  }

  /**
   * An import.
   *
   * @param path the path in quotes
   * @param offset its index in the text
   */
  record ImportStatement(String path, int offset) {}
}
