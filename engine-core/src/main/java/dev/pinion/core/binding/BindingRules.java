package dev.pinion.core.binding;

import java.util.Locale;

/**
 * Treatment of callers and definitions that the broker does not know.
 *
 * @param callers source of an instance's service class
 * @param callerHeader name of the header field, in lower case, that identifies the caller where no
 *     handler has done so; empty for none. Every client can write it, so it is for engines behind a
 *     gateway that sets it
 * @param unserved treatment of a definition whose abstract services nothing serves
 * @param throttle treatment of starts beyond the contracted rate
 */
public record BindingRules(
    CallerRule callers, String callerHeader, UnservedRule unserved, ThrottleRule throttle) {
  /** Clients name their class, and every definition is accepted. */
  public static final BindingRules OPEN = new BindingRules(CallerRule.LABEL, "", UnservedRule.WARN);

  /** Rules without a limit on the rate of callers. */
  public BindingRules(CallerRule callers, String callerHeader, UnservedRule unserved) {
    this(callers, callerHeader, unserved, ThrottleRule.OFF);
  }

  /** Converts the name of the field to lower case. */
  public BindingRules {
    callerHeader = callerHeader.toLowerCase(Locale.ROOT);
  }
}
