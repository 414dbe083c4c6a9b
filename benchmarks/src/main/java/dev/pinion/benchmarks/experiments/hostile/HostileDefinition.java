package dev.pinion.benchmarks.experiments.hostile;

import java.util.Locale;

/** A valid definition that never ends by itself. */
public enum HostileDefinition {
  /** A recursion of 2^60 calls. */
  DOUBLING("def f(n): if n == 0 then 1 else f(n - 1) + f(n - 1) end; f(60)"),
  /** An array of 10^12 elements. */
  RANGE("[range(1e12)] | length"),
  /** A loop in one expression. */
  UNTIL("1 | until(false; .)"),
  /** Two tasks that jump to each other for ever. */
  FLOW("");

  /** Namespace of all of them. */
  static final String NAMESPACE = "hostile";

  private final String expression;

  HostileDefinition(String expression) {
    this.expression = expression;
  }

  /** Name of the definition. */
  public String id() {
    return "endless-" + name().toLowerCase(Locale.ROOT);
  }

  /** The document as YAML. */
  public String document() {
    String head =
        "document: {dsl: '1.0.3', namespace: "
            + NAMESPACE
            + ", name: "
            + id()
            + ", version: 1.0.0}\ndo:\n";
    return head
        + (this == FLOW
            ? "  - first: {set: {n: 1}}\n  - second: {set: {n: 2}, then: first}\n"
            : "  - spin: {set: {value: '${ " + expression + " }'}}\n");
  }

  /** Path of its instances. */
  String instances() {
    return "/v1/namespaces/" + NAMESPACE + "/definitions/" + id() + "/instances";
  }
}
