package dev.pinion.handlers.config;

import dev.pinion.handlers.api.SettingProblem;
import java.util.List;
import java.util.stream.Collectors;

/** A document of chains is refused. Reports all problems. */
public final class InvalidChainsException extends Exception {
  private final transient List<SettingProblem> problems;

  private InvalidChainsException(List<SettingProblem> problems) {
    super(problems.stream().map(SettingProblem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /** One problem. */
  public static InvalidChainsException of(String pointer, String message) {
    return new InvalidChainsException(List.of(new SettingProblem(pointer, message)));
  }

  /**
   * Several problems.
   *
   * @param problems at least one
   */
  public static InvalidChainsException of(List<SettingProblem> problems) {
    return new InvalidChainsException(problems);
  }

  /** The problems with their places. */
  public List<SettingProblem> problems() {
    return problems;
  }
}
