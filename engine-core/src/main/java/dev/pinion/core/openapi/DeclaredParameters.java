package dev.pinion.core.openapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The parameters that an operation declares, and those of its path that it does not replace. */
final class DeclaredParameters {
  private final ApiReferences references;

  DeclaredParameters(ApiReferences references) {
    this.references = references;
  }

  /** The parameters in the order of the document, references followed. */
  List<ApiValue> of(FoundOperation found) {
    Map<String, ApiValue> declared = new LinkedHashMap<>();
    add(found.item(), declared);
    add(found.operation(), declared);
    return new ArrayList<>(declared.values());
  }

  private void add(ApiValue owner, Map<String, ApiValue> declared) {
    for (ApiValue each : owner.items("parameters")) {
      ApiValue parameter = references.resolve(each);
      if (parameter != null) {
        declared.put(key(parameter), parameter);
      }
    }
  }

  /** Name and place, by which a parameter of an operation replaces one of its path. */
  private static String key(ApiValue parameter) {
    String in = parameter.text("in");
    String name = parameter.text("name");
    return in + " " + (in.equals("header") ? name.toLowerCase(Locale.ROOT) : name);
  }
}
