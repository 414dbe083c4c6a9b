package dev.pinion.benchmarks.chains;

import java.util.List;

/** Writes chain documents, a chain a line. */
public final class ChainText {
  private final StringBuilder chain = new StringBuilder();
  private final StringBuilder steps = new StringBuilder();

  /** A chain that is attached nowhere. */
  public ChainText(String name) {
    chain.append("- {name: ").append(name);
  }

  /** A document of chains. */
  public static String document(List<String> chains) {
    return "chains:\n" + String.join("\n", chains) + "\n";
  }

  /** Condition under which steps go to several workers. */
  public ChainText sideBySide(String when) {
    chain.append(", sideBySide: ").append(when);
    return this;
  }

  /** Stages by names of steps; without them steps come one after another. */
  public ChainText stages(String stages) {
    chain.append(", stages: ").append(stages);
    return this;
  }

  /** Limit of the messages under way. */
  public ChainText window(String window) {
    chain.append(", window: ").append(window);
    return this;
  }

  /** Adds a step. */
  public ChainText step(String name, String kind, String settings, String place) {
    steps.append(steps.isEmpty() ? "" : ", ");
    steps.append("{name: ").append(name).append(", use: ").append(kind);
    steps.append(", place: ").append(place);
    steps.append(", settings: {").append(settings).append("}}");
    return this;
  }

  /** Adds a step in this process. */
  public ChainText step(String name, String kind, String settings) {
    return step(name, kind, settings, "local");
  }

  @Override
  public String toString() {
    return chain + ", handlers: [" + steps + "]}";
  }
}
