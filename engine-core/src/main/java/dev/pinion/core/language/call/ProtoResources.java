package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.SourceText;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.language.reference.ExternalResources.TextResource;
import dev.pinion.core.protobuf.ProtoDocument;
import dev.pinion.core.protobuf.ProtoLinker;
import dev.pinion.core.protobuf.ProtoServices;
import dev.pinion.core.protobuf.ProtoSyntaxException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code .proto} files that the calls of one document name, each read once. Imports begin at
 * the folder of the file that is named.
 */
final class ProtoResources {
  private final ExternalResources resources;
  private final Diagnostics diagnostics;
  private final Map<String, Optional<ProtoServices>> known = new HashMap<>();

  ProtoResources(ExternalResources resources, Diagnostics diagnostics) {
    this.resources = resources;
    this.diagnostics = diagnostics;
  }

  /** The services of a resource, or null when there is a problem, which is reported once. */
  @Nullable ProtoServices services(DocumentValue resource) {
    TextResource root = resources.located(resource);
    if (root == null) {
      return null;
    }
    Optional<ProtoServices> found = known.get(root.uri());
    if (found == null) {
      found = Optional.ofNullable(read(root));
      known.put(root.uri(), found);
    }
    return found.orElse(null);
  }

  private @Nullable ProtoServices read(TextResource root) {
    Map<String, String> texts = new HashMap<>();
    texts.put(root.uri(), root.text());
    ProtoLinker linker =
        new ProtoLinker(
            (importing, path, offset) -> {
              String uri = folder(root.uri()) + path;
              String text = resources.text(root, uri);
              if (text == null) {
                return null;
              }
              texts.put(uri, text);
              return new ProtoDocument(uri, text);
            });
    try {
      return linker.services(new ProtoDocument(root.uri(), root.text()));
    } catch (ProtoSyntaxException e) {
      SourceText text = new SourceText(texts.getOrDefault(e.document(), ""));
      diagnostics.of(text, root.place()).at(e.offset(), e.document() + "#", e.problem());
      return null;
    }
  }

  /** A URI without query up to the last slash of its path. */
  private static String folder(String uri) {
    int query = uri.indexOf('?');
    String path = query < 0 ? uri : uri.substring(0, query);
    return path.substring(0, path.lastIndexOf('/') + 1);
  }
}
