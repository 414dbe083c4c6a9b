package dev.pinion.core.openapi;

import dev.pinion.core.document.SourceNode;
import dev.pinion.core.document.ValueDescription;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows references: {@code $ref} with a JSON pointer (RFC 6901) into the same or another
 * document.
 */
final class ApiReferences {
  /** Most references one after the other. */
  static final int MAX_REFERENCES = 32;

  private static final String REFERENCE = "$ref";
  private static final int MAX_INDEX_DIGITS = 9;

  private final ApiDocuments documents;
  private final ApiProblems problems;

  ApiReferences(ApiDocuments documents, ApiProblems problems) {
    this.documents = documents;
    this.problems = problems;
  }

  /** Whether a value is a reference. */
  static boolean isOne(ApiValue value) {
    return !value.text(REFERENCE).isEmpty();
  }

  /** The value, or what its reference leads to; null when it leads nowhere, which is reported. */
  @Nullable ApiValue resolve(ApiValue value) {
    Set<String> seen = new LinkedHashSet<>();
    ApiValue at = value;
    for (ApiValue reference = at.member(REFERENCE);
        reference != null && reference.value().isText();
        reference = at.member(REFERENCE)) {
      if (!seen.add(at.value().pointer())) {
        problems.report(
            reference, "expected references that end, found the cycle " + String.join(" → ", seen));
        return null;
      }
      if (seen.size() > MAX_REFERENCES) {
        problems.report(
            reference,
            "expected at most " + MAX_REFERENCES + " references one after the other, found more");
        return null;
      }
      ApiValue next = target(reference);
      if (next == null) {
        return null;
      }
      at = next;
    }
    return at;
  }

  /**
   * The value, or what its reference leads to within its document; null when it leads elsewhere or
   * nowhere. For parts that a call can do without.
   */
  static @Nullable ApiValue within(ApiValue value) {
    ApiValue at = value;
    for (int i = 0; i < MAX_REFERENCES && at != null && isOne(at); i++) {
      String text = at.text(REFERENCE);
      at =
          text.startsWith("#") ? descendant(ApiValue.root(at.document()), text.substring(1)) : null;
    }
    return at == null || isOne(at) ? null : at;
  }

  private @Nullable ApiValue target(ApiValue reference) {
    String text = reference.text();
    int hash = text.indexOf('#');
    String uri = hash < 0 ? text : text.substring(0, hash);
    ApiDocument document = uri.isEmpty() ? reference.document() : documents.get(uri, reference);
    if (document == null) {
      return null;
    }
    ApiValue found = descendant(ApiValue.root(document), hash < 0 ? "" : text.substring(hash + 1));
    if (found == null) {
      problems.report(
          reference,
          "expected a reference to a value of the document, such as #/components/parameters/id,"
              + " found "
              + ValueDescription.describe(reference.value().json()));
    }
    return found;
  }

  private static @Nullable ApiValue descendant(ApiValue root, String fragment) {
    String pointer = decoded(fragment);
    if (pointer == null || !(pointer.isEmpty() || pointer.startsWith("/"))) {
      return null;
    }
    ApiValue at = root;
    for (String part : parts(pointer)) {
      ApiValue next = step(at, part.replace("~1", "/").replace("~0", "~"));
      if (next == null) {
        return null;
      }
      at = next;
    }
    return at;
  }

  private static List<String> parts(String pointer) {
    return pointer.isEmpty() ? List.of() : List.of(pointer.substring(1).split("/", -1));
  }

  private static @Nullable String decoded(String fragment) {
    try {
      return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable ApiValue step(ApiValue at, String name) {
    if (!(at.value().node() instanceof SourceNode.Sequence)) {
      return at.member(name);
    }
    List<ApiValue> items = at.items();
    boolean isIndex =
        !name.isEmpty()
            && name.length() <= MAX_INDEX_DIGITS
            && name.chars().allMatch(c -> c >= '0' && c <= '9');
    int index = isIndex ? Integer.parseInt(name) : items.size();
    return index < items.size() ? items.get(index) : null;
  }
}
