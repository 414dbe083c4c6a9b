package dev.pinion.broker.adapt;

/**
 * Why something is done.
 *
 * @param rule which condition holds
 * @param subject the service or class that it holds for
 * @param detail what was found and what was expected, for people
 */
public record Cause(Rule rule, String subject, String detail) {
  @Override
  public String toString() {
    return rule.label() + " " + subject + ": " + detail;
  }
}
