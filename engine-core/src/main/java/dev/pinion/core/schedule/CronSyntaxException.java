package dev.pinion.core.schedule;

/**
 * Text that is no cron expression. The message names the field, what it expects and what it has.
 */
public final class CronSyntaxException extends Exception {
  private static final long serialVersionUID = 1;

  CronSyntaxException(String problem) {
    super(problem);
  }
}
