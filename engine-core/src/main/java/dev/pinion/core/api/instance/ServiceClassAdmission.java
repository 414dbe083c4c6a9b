package dev.pinion.core.api.instance;

import dev.pinion.core.binding.BindingRules;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallerRule;
import dev.pinion.core.binding.ServedFraction;
import dev.pinion.core.binding.ThrottleRule;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.peer.PeerCallerHeader;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the service class of the caller that starts an instance, by the caller's contracts. The
 * class becomes a label of the instance, so it is journalled with the start and does not change.
 * Refuses requests that the plan in force does not serve, and holds callers to the rates of their
 * contracts. Event loop only; reads one reference.
 */
public final class ServiceClassAdmission {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** Seconds after which a request of a class that is served in part may be repeated. */
  private static final int SHED_SECONDS = 10;

  private final BindingSource bindings;

  /**
   * Admission by the plan and the contracts in force.
   *
   * @param bindings has both
   */
  public ServiceClassAdmission(BindingSource bindings) {
    this.bindings = bindings;
  }

  /**
   * The tags of an instance that a caller starts, with its class.
   *
   * @throws ProblemException 401 or 403 for a caller without a right to the class, or to any; 429
   *     for requests beyond the contracted rate, where these are refused; 503 for requests that the
   *     plan in force does not serve
   */
  public Tags tagged(HttpExchange httpExchange, Tags tags) throws ProblemException {
    BindingRules rules = bindings.rules();
    BindingTable table = bindings.current();
    if (rules.callers() == CallerRule.LABEL) {
      String serviceClass = table.className(tags.labels().get(Tags.SERVICE_CLASS));
      shed(serviceClass, table);
      throttle(serviceClass, BindingTable.OTHERS, () -> table.rate(serviceClass));
      return tags;
    }
    String caller = caller(httpExchange, rules);
    List<String> contracted =
        caller == null ? List.of() : table.callers().getOrDefault(caller, List.of());
    Tags decided = decided(rules, table, caller, contracted, tags);
    String user = caller == null || contracted.isEmpty() ? BindingTable.OTHERS : caller;
    String serviceClass = table.className(decided.labels().get(Tags.SERVICE_CLASS));
    shed(serviceClass, table);
    throttle(serviceClass, user, () -> table.rate(serviceClass, user));
    return decided;
  }

  private static Tags decided(
      BindingRules rules,
      BindingTable table,
      @Nullable String caller,
      List<String> contracted,
      Tags tags)
      throws ProblemException {
    String wished = tags.labels().get(Tags.SERVICE_CLASS);
    if (!contracted.isEmpty()) {
      return of(contracted, wished, tags);
    }
    if (rules.callers() == CallerRule.CONTRACT_ONLY) {
      throw caller == null ? unauthenticated(rules) : withoutContract(caller);
    }
    return wished == null ? tags : of(List.of(table.defaultClass()), wished, tags);
  }

  private static void shed(String serviceClass, BindingTable table) throws ProblemException {
    ServedFraction part = table.parts().get(serviceClass);
    if (part != null && !part.next().getAsBoolean()) {
      throw new ProblemException(
          Problem.of(
                  ProblemType.CLASS_NOT_SERVED,
                  "expected a class whose requests plan "
                      + table.version()
                      + " of the broker serves, found "
                      + Problem.quoted(serviceClass)
                      + ", of which it serves the part "
                      + part.fraction()
                      + ": not everything that was contracted can be kept now (GET /v1/broker/plan)")
              .with("class", Payload.of(serviceClass))
              .with("plan", Payload.of(table.version()))
              .with("served", Payload.of(part.fraction()))
              .field("retry-after", Integer.toString(SHED_SECONDS)));
    }
  }

  /** Limits a user to the contracted rate; without one there is nothing to measure by. */
  private void throttle(String serviceClass, String user, DoubleSupplier promised)
      throws ProblemException {
    ThrottleRule rule = bindings.rules().throttle();
    if (rule == ThrottleRule.OFF) {
      return;
    }
    double rate = promised.getAsDouble();
    if (rate <= 0) {
      return;
    }
    long waitNanos = bindings.throttle().take(serviceClass, user, rate);
    if (waitNanos > 0 && rule == ThrottleRule.REFUSE) {
      throw throttled(serviceClass, rate, waitNanos);
    }
  }

  private static ProblemException throttled(String serviceClass, double rate, long waitNanos) {
    long seconds = 1 + (waitNanos - 1) / NANOS_PER_SECOND;
    return new ProblemException(
        Problem.of(
                ProblemType.THROTTLED,
                "expected at most "
                    + rate
                    + " requests/s of the class "
                    + Problem.quoted(serviceClass)
                    + ", as contracted, found more; repeat the request later, or contract a higher"
                    + " rate (PUT /v1/broker/slas/ID)")
            .with("class", Payload.of(serviceClass))
            .with("rate", Payload.of(rate))
            .field("retry-after", Long.toString(seconds)));
  }

  private static @Nullable String caller(HttpExchange httpExchange, BindingRules rules) {
    String known = PeerCallerHeader.caller(httpExchange);
    if (known != null || rules.callerHeader().isEmpty()) {
      return known;
    }
    String told = httpExchange.header(rules.callerHeader());
    return told == null || told.isBlank() ? null : told.strip();
  }

  private static Tags of(List<String> classes, @Nullable String wished, Tags tags)
      throws ProblemException {
    if (wished != null && !classes.contains(wished)) {
      throw new ProblemException(
          ProblemType.NOT_CONTRACTED,
          "expected a class that the caller may have as label "
              + Tags.SERVICE_CLASS
              + ", one of "
              + classes
              + ", found "
              + Problem.quoted(wished)
              + "; leave the label out, or contract that class (PUT /v1/broker/slas/ID)");
    }
    SortedMap<String, String> labels = new TreeMap<>(tags.labels());
    labels.put(Tags.SERVICE_CLASS, wished == null ? classes.getFirst() : wished);
    return new Tags(tags.businessKey(), labels);
  }

  private static ProblemException unauthenticated(BindingRules rules) {
    String header = rules.callerHeader();
    return new ProblemException(
        Problem.of(
                ProblemType.UNAUTHENTICATED,
                "expected a caller that handlers"
                    + (header.isEmpty() ? "" : " or the field " + header)
                    + " make known, found none; only callers with a contract are served"
                    + " (serve --broker-callers contract-only)")
            .field("www-authenticate", "Caller realm=\"contracts\""));
  }

  private static ProblemException withoutContract(String caller) {
    return new ProblemException(
        ProblemType.NOT_CONTRACTED,
        "expected a caller with a contract (user of PUT /v1/broker/slas/ID), found "
            + Problem.quoted(caller)
            + ", who has none in the table in force");
  }
}
