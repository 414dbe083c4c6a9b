package dev.pinion.bootstrap.config;

import java.util.List;

/** Settings that cannot be used; tells every problem at once. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /** With every problem, one sentence each. */
  public ConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** Every problem. */
  public List<String> problems() {
    return problems;
  }
}
