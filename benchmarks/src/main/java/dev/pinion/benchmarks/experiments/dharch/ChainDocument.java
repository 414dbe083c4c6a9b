package dev.pinion.benchmarks.experiments.dharch;

import java.util.List;

/** Writes chain documents, a chain a line. */
public final class ChainDocument {
  private final StringBuilder chain = new StringBuilder();
  private final StringBuilder steps = new StringBuilder();

  /** A chain that is attached nowhere. */
  public ChainDocument(String name) {
    chain.append("- {name: ").append(name);
  }

  /** A document of chains. */
  public static String document(List<String> chains) {
    return "chains:\n" + String.join("\n", chains) + "\n";
  }

  /** Condition under which steps go to several workers. */
  public ChainDocument sideBySide(String when) {
    chain.append(", sideBySide: ").append(when);
    return this;
  }

  /** Stages by names of steps; without them steps come one after another. */
  public ChainDocument stages(String stages) {
    chain.append(", stages: ").append(stages);
    return this;
  }

  /** Limit of the messages under way. */
  public ChainDocument window(String window) {
    chain.append(", window: ").append(window);
    return this;
  }

  /** Adds a step. */
  public ChainDocument step(String name, String kind, String settings, String place) {
    steps.append(steps.isEmpty() ? "" : ", ");
    steps.append("{name: ").append(name).append(", use: ").append(kind);
    steps.append(", place: ").append(place);
    steps.append(", settings: {").append(settings).append("}}");
    return this;
  }

  /** Adds a step in this process. */
  public ChainDocument step(String name, String kind, String settings) {
    return step(name, kind, settings, "local");
  }

  @Override
  public String toString() {
    return chain + ", handlers: [" + steps + "]}";
  }
}
