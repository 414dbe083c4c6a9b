package dev.pinion.bootstrap.settings;

import java.util.List;

/** Invalid settings; reports all problems at once. */
public final class SettingsException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /** Creates one with all problems, one sentence each. */
  public SettingsException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** Every problem. */
  public List<String> problems() {
    return problems;
  }
}
