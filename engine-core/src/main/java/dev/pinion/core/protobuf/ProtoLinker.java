package dev.pinion.core.protobuf;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.WrappersProto;
import dev.pinion.core.protobuf.ProtoFile.ImportStatement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the names in {@code .proto} files that belong together. The files that come with
 * Protocol Buffers need not be there; nor need those that declare nothing but options. For one
 * thread.
 */
public final class ProtoLinker {
  private static final Map<String, FileDescriptor> WELL_KNOWN =
      Stream.of(
              AnyProto.getDescriptor(),
              ApiProto.getDescriptor(),
              DescriptorProtos.getDescriptor(),
              DurationProto.getDescriptor(),
              EmptyProto.getDescriptor(),
              FieldMaskProto.getDescriptor(),
              SourceContextProto.getDescriptor(),
              StructProto.getDescriptor(),
              TimestampProto.getDescriptor(),
              TypeProto.getDescriptor(),
              WrappersProto.getDescriptor())
          .collect(Collectors.toUnmodifiableMap(FileDescriptor::getName, Function.identity()));

  private static final Set<String> ONLY_OPTIONS =
      Set.of(
          "buf/validate/validate.proto",
          "gogoproto/gogo.proto",
          "google/api/annotations.proto",
          "google/api/client.proto",
          "google/api/field_behavior.proto",
          "google/api/resource.proto",
          "protoc-gen-openapiv2/options/annotations.proto",
          "validate/validate.proto");

  private final ProtoImports imports;
  private final Map<String, FileDescriptor> linked = new HashMap<>();
  private final Set<String> underWay = new HashSet<>();

  /**
   * A linker.
   *
   * @param imports finds the imported files
   */
  public ProtoLinker(ProtoImports imports) {
    this.imports = imports;
  }

  /**
   * The services that a file declares or imports publicly; null when an imported file is missing,
   * which is reported.
   *
   * @throws ProtoSyntaxException when this file, or one that it imports, breaks the rules
   */
  public @Nullable ProtoServices services(ProtoDocument document) throws ProtoSyntaxException {
    FileDescriptor file = link(document);
    return file == null ? null : ProtoServices.of(file);
  }

  private @Nullable FileDescriptor link(ProtoDocument document) throws ProtoSyntaxException {
    FileDescriptor known = linked.get(document.name());
    if (known != null) {
      return known;
    }
    underWay.add(document.name());
    ProtoFile file = ProtoFileReader.read(document);
    FileDescriptor[] dependencies = new FileDescriptor[file.imports().size()];
    for (int i = 0; i < dependencies.length; i++) {
      FileDescriptor dependency = dependency(document, file.imports().get(i));
      if (dependency == null) {
        return null;
      }
      dependencies[i] = dependency;
    }
    FileDescriptor built = built(file, dependencies);
    underWay.remove(document.name());
    linked.put(document.name(), built);
    return built;
  }

  private @Nullable FileDescriptor dependency(ProtoDocument importing, ImportStatement statement)
      throws ProtoSyntaxException {
    String path = statement.path();
    FileDescriptor wellKnown = WELL_KNOWN.get(path);
    if (wellKnown != null) {
      return wellKnown;
    }
    if (ONLY_OPTIONS.contains(path)) {
      return link(new ProtoDocument(path, ""));
    }
    ProtoDocument found = imports.find(importing, path, statement.offset());
    if (found != null && underWay.contains(found.name())) {
      throw new ProtoSyntaxException(
          importing.name(),
          statement.offset(),
          "expected files that do not import each other, found \"" + path + "\" in a circle");
    }
    return found == null ? null : link(found);
  }

  private static FileDescriptor built(ProtoFile file, FileDescriptor[] dependencies)
      throws ProtoSyntaxException {
    FileDescriptorProto.Builder proto = file.proto().toBuilder();
    for (int i = 0; i < dependencies.length; i++) {
      proto.setDependency(i, dependencies[i].getName());
    }
    try {
      return FileDescriptor.buildFrom(proto.build(), dependencies);
    } catch (DescriptorValidationException e) {
      String symbol = e.getProblemSymbolName();
      throw new ProtoSyntaxException(
          file.document().name(),
          file.places().getOrDefault(symbol, 0),
          "expected a valid declaration of " + symbol + ", found: " + e.getDescription());
    }
  }
}
