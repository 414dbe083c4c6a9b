package dev.pinion.bootstrap.settings;

import dev.pinion.bootstrap.protocol.BrokerMode;
import dev.pinion.core.binding.CallerRule;
import dev.pinion.core.binding.ThrottleRule;
import dev.pinion.core.binding.UnservedRule;
import java.util.List;

/** Settings of the broker, and of what its contracts decide. */
public final class BrokerKey {
  /** Whether it runs. */
  public static final SettingKey<BrokerMode> MODE =
      new SettingKey<>(
          "broker",
          "MODE",
          "auto",
          "Whether a process beside the replicas decides about services and contracts, and makes"
              + " plans: on, off, or auto (when the data folder has services or contracts).",
          BrokerMode::of);

  /** Standby broker. */
  public static final SettingKey<Boolean> STANDBY =
      new SettingKey<>(
          "broker-standby",
          "BOOLEAN",
          "false",
          "Another process of the broker, which takes over at once when the first one ends.",
          SettingValues::bool);

  /** Source of service classes. */
  public static final SettingKey<CallerRule> CALLERS =
      new SettingKey<>(
          "broker-callers",
          "RULE",
          "label",
          "Who decides which service class an instance has: label (the client, by the label"
              + " pinion.class), contract (the contract of the caller; others get the default"
              + " class) or contract-only (others are answered 401 or 403). Callers are known by"
              + " what handlers find out (api-key, jwt).",
          text -> SettingValues.choice(text, CallerRule::of, CallerRule.labels()));

  /** Field that names callers. */
  public static final SettingKey<String> CALLER_HEADER =
      new SettingKey<>(
          "broker-caller-header",
          "FIELD",
          "",
          "Header field that says who calls where no handler does, such as X-User; for a gateway"
              + " that sets it, since the engine believes it.",
          SettingValues::fieldName);

  /** Unserved services. */
  public static final SettingKey<UnservedRule> UNSERVED =
      new SettingKey<>(
          "broker-unserved",
          "RULE",
          "warn",
          "What becomes of a definition whose abstract services (svc://) nothing that is registered"
              + " serves: warn (deployed, with warnings in the answer) or refuse (422).",
          text -> SettingValues.choice(text, UnservedRule::of, UnservedRule.labels()));

  /** Starts beyond contracts. */
  public static final SettingKey<ThrottleRule> THROTTLE =
      new SettingKey<>(
          "broker-throttle",
          "RULE",
          "report",
          "What becomes of starts beyond the rate that was contracted: off (nobody looks), report"
              + " (counted in /metrics) or refuse (counted, and answered 429 with Retry-After).",
          text -> SettingValues.choice(text, ThrottleRule::of, ThrottleRule.labels()));

  /** Address for late responses of services. */
  public static final SettingKey<String> CALLBACK_URL =
      new SettingKey<>(
          "broker-callback-url",
          "URL",
          "",
          "How services that answer later (async) reach this engine, such as"
              + " https://engine.example: what stands before /v1/callbacks/ in the address that"
              + " comes with each of their calls. Unless said, they are told the path alone.",
          SettingValues::baseUri);

  private BrokerKey() {}

  /** All of them, in the order of help. */
  public static List<SettingKey<?>> all() {
    return List.of(MODE, STANDBY, CALLERS, CALLER_HEADER, UNSERVED, THROTTLE, CALLBACK_URL);
  }
}
