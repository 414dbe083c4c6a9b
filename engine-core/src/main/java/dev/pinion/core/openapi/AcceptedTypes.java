package dev.pinion.core.openapi;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The media types in which an operation answers, JSON first. */
final class AcceptedTypes {
  /** Most types that a request names. */
  private static final int MAX_TYPES = 16;

  private static final String ANY = "*/*";

  private AcceptedTypes() {}

  /** Value of the field Accept; empty where the usual one says as much. */
  static String of(FoundOperation found, ApiValue root, boolean isSecondGeneration) {
    List<MediaRange> types =
        isSecondGeneration
            ? FormerBodies.types("produces", found.operation(), root)
            : ofResponses(found.operation().members("responses"));
    Set<String> json = new LinkedHashSet<>();
    Set<String> others = new LinkedHashSet<>();
    for (MediaRange type : types) {
      if (json.size() + others.size() < MAX_TYPES && !type.essence().equals(ANY)) {
        (type.isJson() ? json : others).add(type.essence());
      }
    }
    if (others.isEmpty() && json.stream().allMatch(MediaRange.JSON::equals)) {
      return "";
    }
    List<String> all = new ArrayList<>(json);
    others.forEach(each -> all.add(json.isEmpty() ? each : each + ";q=0.9"));
    all.add(ANY + ";q=0.1");
    return String.join(", ", all);
  }

  /** Those of success; of the default response where there is no other. */
  private static List<MediaRange> ofResponses(List<ApiValue> responses) {
    List<MediaRange> types = new ArrayList<>();
    boolean hasSuccess = responses.stream().anyMatch(each -> each.name().startsWith("2"));
    for (ApiValue each : responses) {
      ApiValue response =
          each.name().startsWith("2") || (!hasSuccess && each.name().equals("default"))
              ? ApiReferences.within(each)
              : null;
      if (response != null) {
        response.members("content").stream()
            .map(type -> MediaRange.of(type.name()))
            .filter(MediaRange::isValid)
            .forEach(types::add);
      }
    }
    return types;
  }
}
