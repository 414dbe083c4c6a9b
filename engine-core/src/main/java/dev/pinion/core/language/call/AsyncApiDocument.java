package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An AsyncAPI document of generation 2 or 3. References within the document are followed; those to
 * others, to nothing and in circles are reported and count as absent.
 */
final class AsyncApiDocument {
  private static final String REFERENCE = "$ref";
  private static final String LOCAL = "#/";
  private static final Pattern SECOND = Pattern.compile("2\\.[0-6]\\.[0-9]+.*");
  private static final Pattern THIRD = Pattern.compile("3\\.0\\.[0-9]+.*");

  private final DocumentValue root;
  private final Diagnostics diagnostics;
  private final boolean second;

  private AsyncApiDocument(DocumentValue root, Diagnostics diagnostics, boolean second) {
    this.root = root;
    this.diagnostics = diagnostics;
    this.second = second;
  }

  /** A document, or null when it is no AsyncAPI document of a known generation: reported. */
  static @Nullable AsyncApiDocument of(ExternalDocument document) {
    DocumentValue root = document.root();
    DocumentValue version = child(root, "asyncapi");
    String text = version == null ? "" : version.text();
    boolean second = SECOND.matcher(text).matches();
    if (second || THIRD.matcher(text).matches()) {
      return new AsyncApiDocument(root, document.diagnostics(), second);
    }
    document
        .diagnostics()
        .value(
            version == null ? root : version,
            "expected an AsyncAPI document of version 2.0.0 to 2.6.0 or 3.0.0 (\"asyncapi\"), "
                + "found "
                + (version == null ? "none" : ValueDescription.describe(version.json())));
    return null;
  }

  /** Whether it is of generation 2, rather than 3. */
  boolean isSecond() {
    return second;
  }

  /** The whole document. */
  DocumentValue root() {
    return root;
  }

  /** Reports about the document. */
  Diagnostics diagnostics() {
    return diagnostics;
  }

  /** A member with its references followed; null when there is none. */
  @Nullable DocumentValue member(@Nullable DocumentValue owner, String name) {
    DocumentValue found = owner == null ? null : child(owner, name);
    return found == null ? null : resolved(found);
  }

  /** A text of a member; null when there is none. */
  @Nullable String text(@Nullable DocumentValue owner, String name) {
    DocumentValue found = member(owner, name);
    return found == null || !found.isText() ? null : found.text();
  }

  /** The members of a section of the document by name, as they stand. */
  Map<String, DocumentValue> section(String name) {
    return members(member(root, name));
  }

  /** The members of an object by name, as they stand. */
  static Map<String, DocumentValue> members(@Nullable DocumentValue owner) {
    Map<String, DocumentValue> members = new LinkedHashMap<>();
    if (owner != null) {
      owner.members().forEach(member -> members.put(member.name(), member));
    }
    return members;
  }

  /** The items of a list with their references followed. */
  List<DocumentValue> items(@Nullable DocumentValue list) {
    List<DocumentValue> items = new ArrayList<>();
    if (list != null) {
      for (DocumentValue item : list.items()) {
        DocumentValue found = resolved(item);
        if (found != null) {
          items.add(found);
        }
      }
    }
    return items;
  }

  /** A value, or the one that it refers to in the end; null when there is a problem: reported. */
  @Nullable DocumentValue resolved(DocumentValue value) {
    DocumentValue at = value;
    Set<String> passed = new HashSet<>();
    while (true) {
      DocumentValue reference = child(at, REFERENCE);
      if (reference == null || !reference.isText()) {
        return at;
      }
      if (!passed.add(at.pointer())) {
        diagnostics.value(
            reference,
            "expected a reference that leads to a value, found one that leads back to itself");
        return null;
      }
      DocumentValue target = target(reference);
      if (target == null) {
        return null;
      }
      at = target;
    }
  }

  private @Nullable DocumentValue target(DocumentValue reference) {
    String text = reference.text();
    if (!text.startsWith(LOCAL)) {
      diagnostics.value(
          reference,
          "expected a reference within the document, which begins with #/, found "
              + ValueDescription.describe(reference.json())
              + "; references to other documents are not followed");
      return null;
    }
    DocumentValue at = root;
    for (String part : text.substring(LOCAL.length()).split("/", -1)) {
      DocumentValue next = step(at, part);
      if (next == null) {
        diagnostics.value(
            reference,
            "expected a reference to a value of the document, found "
                + ValueDescription.describe(reference.json()));
        return null;
      }
      at = next;
    }
    return at;
  }

  private static @Nullable DocumentValue step(DocumentValue at, String part) {
    String decoded;
    try {
      decoded = URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
    String name = decoded.replace("~1", "/").replace("~0", "~");
    for (DocumentValue item : at.items()) {
      if (item.name().equals(name)) {
        return item;
      }
    }
    return child(at, name);
  }

  private static @Nullable DocumentValue child(DocumentValue owner, String name) {
    for (DocumentValue member : owner.members()) {
      if (member.name().equals(name)) {
        return member;
      }
    }
    return null;
  }
}
