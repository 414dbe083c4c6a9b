package dev.pinion.broker.analyse;

/**
 * The cause of a decision.
 *
 * @param rule the rule that applies
 * @param subject the service or class that it applies to
 * @param detail the observation and the expectation, for people
 */
public record Cause(AdaptationRule rule, String subject, String detail) {
  @Override
  public String toString() {
    return rule.label() + " " + subject + ": " + detail;
  }
}
