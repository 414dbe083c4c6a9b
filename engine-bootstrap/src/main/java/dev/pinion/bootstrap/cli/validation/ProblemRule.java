package dev.pinion.bootstrap.cli.validation;

import dev.pinion.core.model.Diagnostic;
import java.util.regex.Pattern;

/** The kinds of problem that a report tells apart, found by the form of the message. */
enum ProblemRule {
  NOT_SUPPORTED(
      "not-supported",
      "The engine lacks a feature of the language that the definition uses.",
      " is not supported yet$"),
  SYNTAX(
      "syntax",
      "A definition is one document in YAML 1.2 or JSON.",
      "^expected (?:YAML|JSON|one document|a document|each key once|a key |a string as key|printable"
          + "|an alias|no tag|a value that fits its tag|at most \\d+ (?:aliases|levels|bytes))"),
  UNKNOWN_KEY(
      "unknown-key",
      "An object has the keys that the language knows.",
      "^expected (?:one of .+|no key) in .+, found \""),
  MISSING_KEY("missing-key", "An object has the keys that the language requires.", ", found none$"),
  UNKNOWN_NAME(
      "unknown-name",
      "A name is that of a task, component, variable or function that exists.",
      "^expected (?:continue, exit|a known function|a variable that|the name of one of"
          + "|a function to call|one of use\\.|each (?:task|extension) name once)"),
  WRONG_TYPE(
      "wrong-type",
      "A value has the type that its key requires.",
      "^expected (?:an? (?:object|array|string|integer|number|expression or)|true or false)"),
  WRONG_VALUE("wrong-value", "A value is one of those that its key allows.", "^"),
  POSSIBLE_MISTAKE(
      "possible-mistake", "A definition that can be deployed does what was meant.", "(?!)");

  private final String id;
  private final String description;
  private final Pattern message;

  ProblemRule(String id, String description, String message) {
    this.id = id;
    this.description = description;
    this.message = Pattern.compile(message);
  }

  /** The rule that a problem breaks. */
  static ProblemRule of(Diagnostic problem) {
    for (ProblemRule rule : values()) {
      if (rule.message.matcher(problem.message()).find()) {
        return rule;
      }
    }
    return WRONG_VALUE;
  }

  String id() {
    return id;
  }

  /** What holds where the rule is kept. */
  String description() {
    return description;
  }

  /** The level of its problems in SARIF. */
  String level() {
    return this == POSSIBLE_MISTAKE ? "warning" : "error";
  }
}
