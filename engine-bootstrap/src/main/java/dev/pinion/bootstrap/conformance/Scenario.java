package dev.pinion.bootstrap.conformance;

import java.util.List;

/**
 * A scenario of a feature file, with the steps of its background, for one row of its examples.
 *
 * @param feature name of the feature
 * @param name its name
 * @param section section of the specification that it proves; the feature where none is named
 * @param source file and line
 * @param tags all its tags, each with its {@code @}
 * @param steps steps in order
 */
public record Scenario(
    String feature,
    String name,
    String section,
    String source,
    List<String> tags,
    List<ScenarioStep> steps) {
  /** Tag of scenarios that fail because the engine differs from the specification on purpose. */
  public static final String DEVIATION = "@deviation";

  private static final String REQUIRES = "@requires:";

  /** Copies the lists. */
  public Scenario {
    tags = List.copyOf(tags);
    steps = List.copyOf(steps);
  }

  /** Whether the engine differs here on purpose. */
  public boolean isDeviation() {
    return tags.contains(DEVIATION);
  }

  /** Tags that name features which the engine lacks; none if it should pass. */
  public List<String> missingFeatures() {
    return tags.stream()
        .filter(each -> !each.startsWith(REQUIRES) && !each.equals(DEVIATION))
        .toList();
  }

  /** Programs that must be installed; of each list, one is enough. */
  public List<List<String>> requiredPrograms() {
    return tags.stream()
        .filter(each -> each.startsWith(REQUIRES))
        .map(each -> List.of(each.substring(REQUIRES.length()).split("\\|", -1)))
        .toList();
  }
}
