package dev.pinion.benchmarks.experiments.globus;

import java.net.URI;
import java.util.List;

/** Processes whose first request is timed, and what engines need for them. */
public enum FirstRequestProcess {
  /** One call, kept in memory only: the minimal process. */
  CALL("one call, in memory", "call", "none", false, "{}") {
    @Override
    String tasks(URI stub) {
      return FirstCallDefinitions.tasks(stub).getOrDefault("call", "");
    }
  },

  /**
   * A realistic process: values computed from the input and a service's response, decisions, a
   * loop, a journal and a history.
   */
  ORDER(
      "an order, kept, with a history",
      "order",
      "async",
      true,
      """
      {"customer":{"id":"c-17","regular":true},"lines":[{"sku":"A-1","price":7.5,"count":2},\
      {"sku":"B-2","price":19,"count":1},{"sku":"C-3","price":0.35,"count":40}]}""") {
    @Override
    String tasks(URI stub) {
      return """
        - priced:
            set:
              customer: '${ .customer.id }'
              total: '${ [.lines[] | .price * .count] | add }'
              skus: '${ .lines | map(.sku) | join(",") }'
              rebate: '${ if .customer.regular then 0.05 else 0 end }'
              lines: '${ .lines }'
        - worth:
            switch:
              - large: { when: '${ .total > 10 }', then: asked }
              - small: { then: end }
        - asked:
            call: http
            with:
              method: post
              endpoint: '%s/svc/s1'
              body: { value: '${ .total * (1 - .rebate) | floor }', skus: '${ .skus }' }
            export: { as: '${ { answer: . } }' }
        - each:
            for: { each: line, in: '${ $workflow.input.lines }' }
            do:
              - booked: { set: { sku: '${ $line.sku }', amount: '${ $line.price * $line.count }' } }
        - told:
            set:
              last: '${ .sku }'
              text: '${ "\\(.sku) of \\($workflow.input.customer.id)" }'
              answered: '${ $context.answer.value }'
      """
          .formatted(stub);
    }
  };

  private final String title;
  private final String definition;
  private final String durability;
  private final boolean history;
  private final String input;

  FirstRequestProcess(
      String title, String definition, String durability, boolean history, String input) {
    this.title = title;
    this.definition = definition;
    this.durability = durability;
    this.history = history;
    this.input = input;
  }

  /** Title for people. */
  public String title() {
    return title;
  }

  /** Name of the definition. */
  String definition() {
    return definition;
  }

  /** Durability of the instances, as in definitions. */
  String durability() {
    return durability;
  }

  /** Input of the instances as JSON. */
  String input() {
    return input;
  }

  /** Whether engines have a history. */
  public boolean history() {
    return history;
  }

  /** Options of {@code serve}. */
  List<String> options() {
    return List.of("--history", history ? "sqlite" : "none");
  }

  /**
   * Tasks as YAML.
   *
   * @param stub services that respond
   */
  abstract String tasks(URI stub);
}
