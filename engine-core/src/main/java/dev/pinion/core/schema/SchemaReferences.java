package dev.pinion.core.schema;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.SpecificationVersion;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that the references of a schema lead somewhere without fetching anything. */
final class SchemaReferences {
  private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");
  private static final Set<String> NAMES = Set.of("$id", "id", "$anchor", "$dynamicAnchor");

  /** Keywords whose members are named by the author. */
  private static final Set<String> NAMED_SCHEMAS =
      Set.of(
          "properties",
          "patternProperties",
          "$defs",
          "definitions",
          "dependentSchemas",
          "dependencies");

  /** Keywords whose values are data. */
  private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

  private final JsonNode root;
  private final Map<String, String> references = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();

  private SchemaReferences(JsonNode root) {
    this.root = root;
  }

  /** The references without a target. */
  static List<SchemaProblem> check(JsonNode schema) {
    SchemaReferences references = new SchemaReferences(schema);
    references.collect(schema, "");
    return references.unresolved();
  }

  private void collect(JsonNode schema, String pointer) {
    schema
        .properties()
        .forEach(member -> collectMember(member.getKey(), member.getValue(), pointer));
    for (int i = 0; schema.isArray() && i < schema.size(); i++) {
      collect(schema.get(i), pointer + "/" + i);
    }
  }

  private void collectMember(String keyword, JsonNode value, String pointer) {
    String at = child(pointer, keyword);
    if (REFERENCES.contains(keyword) && value.isTextual()) {
      references.put(at, value.textValue());
    } else if (NAMES.contains(keyword) && value.isTextual()) {
      names.add(value.textValue());
    } else if (NAMED_SCHEMAS.contains(keyword)) {
      value.properties().forEach(named -> collect(named.getValue(), child(at, named.getKey())));
    } else if (!DATA.contains(keyword)) {
      collect(value, at);
    }
  }

  private static String child(String pointer, String name) {
    return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  private List<SchemaProblem> unresolved() {
    List<SchemaProblem> problems = new ArrayList<>();
    references.forEach(
        (pointer, reference) -> {
          if (!resolves(reference)) {
            problems.add(
                new SchemaProblem(
                    pointer,
                    "expected a reference into this schema or to a published meta-schema, as"
                        + " schemas are never fetched, found \""
                        + reference
                        + "\""));
          }
        });
    return problems;
  }

  private boolean resolves(String reference) {
    int hash = reference.indexOf('#');
    String document = hash < 0 ? reference : reference.substring(0, hash);
    String fragment = hash < 0 ? "" : reference.substring(hash + 1);
    if (!document.isEmpty()) {
      return SpecificationVersion.fromDialectId(document).isPresent() || isNamed(document);
    }
    return fragment.isEmpty()
        || (fragment.startsWith("/") ? leadsInside(fragment) : isAnchor(fragment));
  }

  private boolean isNamed(String document) {
    return names.stream().anyMatch(name -> name.equals(document) || name.endsWith("/" + document));
  }

  private boolean isAnchor(String fragment) {
    return names.contains(fragment) || names.contains("#" + fragment);
  }

  private boolean leadsInside(String fragment) {
    try {
      String pointer = URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
      // A pointer below an embedded $id starts there; the validator resolves it and bounds it.
      return !root.at(JsonPointer.compile(pointer)).isMissingNode() || names.size() > 1;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
