package dev.pinion.broker.analyse;

import dev.pinion.broker.analyse.Calibration.Estimate;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.UsageProfile;
import dev.pinion.broker.monitor.BrokerMonitor;
import dev.pinion.broker.monitor.CallStatistics;
import dev.pinion.broker.monitor.ClassStatistics;
import dev.pinion.broker.monitor.ServiceQuality;
import dev.pinion.broker.optimise.VisitRatios;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Compares observations with the input of the plan, by the {@linkplain AdaptationRule rules}, and
 * keeps the input of the next plans. One thread at a time.
 *
 * <p>Thresholds are those of the formulation (section 1.7), and one more: a mean must also differ
 * by three of its standard errors, since 10 % is within chance for few hundred calls.
 */
public final class Analyzer {
  /** Fewest calls that are evidence about a service. */
  static final double LEAST_CALLS = 200;

  /** Least relative change of a mean time. */
  static final double TIME_CHANGE = 0.1;

  /**
   * Least relative change while it is followed: the decayed mean of a service that has changed
   * moves on for several half-lives.
   */
  static final double FOLLOWED_CHANGE = 0.005;

  /**
   * Least change in standard errors while it is followed: calls from before the change, of which
   * some are still in the mean, make the error large.
   */
  static final double FOLLOWED_ERRORS = 1;

  /** Seconds for which a service that has changed is followed. */
  static final double FOLLOW_SECONDS = 45;

  /** Least change of a mean time, or of a level of a class, in standard errors. */
  static final double TIME_ERRORS = 3;

  /** Least change of a reliability, in standard errors. */
  static final double RELIABILITY_ERRORS = 2;

  /** Least change of a reliability, as a part of the probability of failure. */
  static final double FAILURE_CHANGE = 0.2;

  /** Fewest requests that are evidence about the paths of a class. */
  static final double LEAST_REQUESTS = 500;

  /** Least relative change of visits. */
  static final double VISIT_CHANGE = 0.1;

  /** Visits up to this are no evidence. */
  static final double LEAST_VISITS = 0.05;

  /** Fewest requests that are evidence about the flows of a class. */
  static final double LEAST_FLOWS = 200;

  /** Least relative change of the calibration of flows. */
  static final double FLOW_CHANGE = 0.05;

  /** Least relative change while the mean of the class is above its bound. */
  static final double LATE_FLOW_CHANGE = 0.01;

  /**
   * Seconds after a change of a service in which the calibration of flows only rises. Calls end
   * before their requests do: the slower calls of a service are counted before the requests that
   * made them, which seem too short in comparison until the sums have been halved twice.
   */
  static final double FLOW_HOLD_SECONDS = 120;

  /** Greatest ratio of arrivals within a minute to the contracted rate. */
  static final double ARRIVAL_CHANGE = 1.1;

  /** Seconds for which a trend is extrapolated. */
  static final double HORIZON = 60;

  /** Seconds for which a level must be violated. */
  static final double LEVEL_SECONDS = 300;

  /** Seconds after which a cause about a class is reported again. */
  static final double QUIET = 60;

  /**
   * Seconds without calls after which a service gets another chance; doubled with each. Long, since
   * all requests bound to a service that is no better pay for a chance: for some seconds their
   * bounds are violated.
   */
  static final double PROBATION = 600;

  /** The longest wait for another chance, in seconds. */
  static final double LONGEST_PROBATION = 3_600;

  private final BrokerMonitor brokerMonitor;
  private final Map<String, Estimate> estimates = new HashMap<>();
  private final Map<String, Double> since = new HashMap<>();
  private final Map<String, Double> followed = new HashMap<>();
  private final Map<String, Double> probations = new HashMap<>();
  private final Map<String, Map<String, UsageProfile>> usage = new HashMap<>();

  /** Tasks of services, including services whose calls are still in the sums. */
  private final Map<String, Set<String>> serving = new HashMap<>();

  private final Map<SuppressedCause, Double> told = new HashMap<>();
  private Set<String> down = Set.of();

  private record SuppressedCause(AdaptationRule rule, String subject) {}

  /**
   * An analyst; everything not known is as promised until it is observed.
   *
   * @param known what is known already, as if it had just been observed
   */
  public Analyzer(BrokerMonitor brokerMonitor, Calibration known) {
    this.brokerMonitor = brokerMonitor;
    double now = brokerMonitor.nowSeconds();
    estimates.putAll(known.services());
    known.services().keySet().forEach(each -> since.put(each, now));
    usage.putAll(known.usage());
    down = known.down();
  }

  /** The input of plans now. */
  public Calibration calibration() {
    return new Calibration(estimates, down, usage);
  }

  /**
   * Starts over with a service that is back: its observations date from its failure. Its promise
   * counts.
   */
  public void returned(String service) {
    estimates.remove(service);
    since.remove(service);
    followed.remove(service);
    brokerMonitor.forget(service);
  }

  /** Sets the services that are down. */
  public void down(Set<String> services) {
    down = Set.copyOf(services);
  }

  /**
   * The changes since the last call.
   *
   * @param promised the problem by promises and contracts
   */
  public List<Cause> analyze(BrokerProblem promised) {
    retain(promised);
    List<Cause> causes = new ArrayList<>();
    double now = brokerMonitor.nowSeconds();
    for (ConcreteService each : promised.services()) {
      service(each, now, causes);
    }
    for (ServiceClass each : promised.classes()) {
      brokerMonitor
          .serviceClass(each.id())
          .ifPresent(levels -> serviceClass(promised, each, levels, now, causes));
    }
    return causes;
  }

  private void retain(BrokerProblem promised) {
    Set<String> services = new HashSet<>();
    promised.services().forEach(each -> services.add(each.id()));
    Set<String> classes = new HashSet<>();
    promised.classes().forEach(each -> classes.add(each.id()));
    brokerMonitor.retain(services, classes);
    serving.keySet().retainAll(brokerMonitor.calledLately());
    serving.putAll(FlowCalibration.serving(promised));
    estimates.keySet().retainAll(services);
    since.keySet().retainAll(services);
    followed.keySet().retainAll(services);
    probations.keySet().retainAll(services);
    usage.keySet().retainAll(classes);
    told.keySet()
        .removeIf(each -> !services.contains(each.subject()) && !classes.contains(each.subject()));
  }

  private void service(ConcreteService promise, double now, List<Cause> causes) {
    ServiceQuality serviceQuality = brokerMonitor.service(promise.id()).orElse(null);
    Estimate known = estimates.get(promise.id());
    double last =
        serviceQuality == null
            ? since.getOrDefault(promise.id(), now)
            : serviceQuality.lastSeconds();
    if (known != null && now - last >= probation(promise.id())) {
      clearCauses(promise, now - last, causes);
      return;
    }
    if (serviceQuality == null || serviceQuality.recent().count() < LEAST_CALLS) {
      return;
    }
    Estimate planned =
        known == null ? new Estimate(promise.response(), promise.reliability()) : known;
    CallStatistics found = serviceQuality.recent();
    double slower = found.mean() - planned.response();
    boolean follows =
        now - followed.getOrDefault(promise.id(), Double.NEGATIVE_INFINITY) < FOLLOW_SECONDS;
    double errors = follows ? FOLLOWED_ERRORS : TIME_ERRORS;
    double least = (follows ? FOLLOWED_CHANGE : TIME_CHANGE) * planned.response();
    if (Math.abs(slower) > least && Math.abs(slower) > errors * found.meanError()) {
      if (!follows) {
        followed.put(promise.id(), now);
      }
      updateEstimate(promise.id(), found, now);
      causes.add(
          new Cause(
              AdaptationRule.SERVICE_TIME,
              promise.id(),
              String.format(
                  Locale.ROOT,
                  "mean %.4g s, planned with %.4g s",
                  found.mean(),
                  planned.response())));
    }
    double safer = found.reliability() - planned.reliability();
    if (Math.abs(safer) > RELIABILITY_ERRORS * found.reliabilityError()
        && Math.abs(safer) > FAILURE_CHANGE * (1 - planned.reliability())) {
      updateEstimate(promise.id(), found, now);
      causes.add(
          new Cause(
              AdaptationRule.SERVICE_RELIABILITY,
              promise.id(),
              String.format(
                  Locale.ROOT,
                  "succeeds with %.4g, planned %.4g",
                  found.reliability(),
                  planned.reliability())));
    }
  }

  private double probation(String service) {
    return probations.getOrDefault(service, PROBATION);
  }

  private void updateEstimate(String service, CallStatistics found, double now) {
    estimates.put(service, new Estimate(found.mean(), found.reliability()));
    since.put(service, now);
  }

  /** A service without calls cannot show that it has recovered: its promise counts again. */
  private void clearCauses(ConcreteService promise, double seconds, List<Cause> causes) {
    estimates.remove(promise.id());
    probations.merge(
        promise.id(), 2 * PROBATION, (before, _) -> Math.min(2 * before, LONGEST_PROBATION));
    brokerMonitor.forget(promise.id());
    causes.add(
        new Cause(
            AdaptationRule.SERVICE_UNPROVEN,
            promise.id(),
            String.format(
                Locale.ROOT, "not called for %.0f s, so that its promise counts again", seconds)));
  }

  private void serviceClass(
      BrokerProblem promised,
      ServiceClass each,
      ClassStatistics found,
      double now,
      List<Cause> causes) {
    paths(promised, each, found, causes);
    flows(promised, each, found, now, causes);
    if (found.span() >= QUIET && found.arrivals() > ARRIVAL_CHANGE * each.rate()) {
      String detail =
          String.format(
              Locale.ROOT, "%.4g requests/s, contracted %.4g", found.arrivals(), each.rate());
      Cause cause = new Cause(AdaptationRule.ARRIVALS, each.id(), detail);
      addCause(cause, QUIET, now, causes);
    }
    OptionalDouble crossing = found.trend().crossing(each.maxResponse());
    if (each.boundsResponse() && crossing.isPresent() && crossing.getAsDouble() < HORIZON) {
      String detail =
          String.format(
              Locale.ROOT,
              "mean %.4g s rises by %.2g s/s and crosses %.4g s in %.0f s",
              found.trend().value(),
              found.trend().slope(),
              each.maxResponse(),
              crossing.getAsDouble());
      if (addCause(new Cause(AdaptationRule.TREND, each.id(), detail), QUIET, now, causes)) {
        refresh(promised, now);
      }
    }
    if (found.span() >= LEVEL_SECONDS && isBroken(each, found.levels())) {
      String detail =
          String.format(
              Locale.ROOT,
              "%.4g s and %.4g succeed, promised %.4g s and %.4g",
              found.levels().mean(),
              found.levels().reliability(),
              each.maxResponse(),
              each.minReliability());
      if (addCause(
          new Cause(AdaptationRule.LEVELS, each.id(), detail), LEVEL_SECONDS, now, causes)) {
        refresh(promised, now);
      }
    }
  }

  private static boolean isBroken(ServiceClass each, CallStatistics found) {
    return found.mean() - TIME_ERRORS * found.meanError() > each.maxResponse()
        || found.reliability() + TIME_ERRORS * found.reliabilityError() < each.minReliability();
  }

  /** Adopts all observations before it is too late, however little they differ. */
  private void refresh(BrokerProblem promised, double now) {
    for (ConcreteService each : promised.services()) {
      brokerMonitor
          .service(each.id())
          .map(ServiceQuality::recent)
          .filter(found -> found.count() >= LEAST_CALLS)
          .ifPresent(found -> updateEstimate(each.id(), found, now));
    }
  }

  private void paths(
      BrokerProblem promised, ServiceClass each, ClassStatistics found, List<Cause> causes) {
    if (found.visited().requests() < LEAST_REQUESTS) {
      return;
    }
    ServiceClass planned = planned(each);
    Map<String, Double> expected = VisitRatios.of(promised.process(), planned);
    Set<String> tasks = new HashSet<>(expected.keySet());
    promised.tasks().forEach(task -> tasks.add(task.id()));
    for (String task : tasks) {
      double before = expected.getOrDefault(task, 0.0);
      double now = found.visited().visits().getOrDefault(task, 0.0);
      boolean counts = Math.max(before, now) > LEAST_VISITS;
      if (counts && Math.abs(now - before) > VISIT_CHANGE * before) {
        Map<String, UsageProfile> better =
            PathAnalyzer.of(promised.process(), planned, found.visited().visits());
        if (changes(expected, VisitRatios.of(promised.process(), planned.withUsage(better)))) {
          usage.put(each.id(), better);
          String detail =
              String.format(Locale.ROOT, "%.4g invocations of %s, planned %.4g", now, task, before);
          causes.add(new Cause(AdaptationRule.PATHS, each.id(), detail));
        }
        return;
      }
    }
  }

  /**
   * Whether visits differ by more than {@link #VISIT_CHANGE}. Differences that a process cannot
   * express, such as visits of a task at several places, are not reported repeatedly.
   */
  private static boolean changes(Map<String, Double> before, Map<String, Double> after) {
    return after.entrySet().stream()
        .anyMatch(
            each -> {
              double was = before.getOrDefault(each.getKey(), 0.0);
              return Math.max(was, each.getValue()) > LEAST_VISITS
                  && differs(each.getValue(), was, VISIT_CHANGE);
            });
  }

  private ServiceClass planned(ServiceClass each) {
    Map<String, UsageProfile> own = usage.get(each.id());
    return own == null ? each : each.withUsage(own);
  }

  private boolean hasChangedWithin(double seconds, double now) {
    return followed.values().stream().anyMatch(began -> now - began < seconds);
  }

  private void flows(
      BrokerProblem promised,
      ServiceClass each,
      ClassStatistics levels,
      double nowSeconds,
      List<Cause> causes) {
    if (levels.spent().requests().count() < LEAST_FLOWS) {
      return;
    }
    ServiceClass planned = planned(each);
    DoubleSummaryStatistics before = FlowCalibration.planned(promised.process(), planned);
    OptionalDouble found =
        FlowCalibration.calibration(promised.process(), planned, levels.spent(), serving);
    if (before.getCount() == 0 || found.isEmpty()) {
      return;
    }
    boolean onlyRises = hasChangedWithin(FLOW_HOLD_SECONDS, nowSeconds);
    double now = Math.max(found.getAsDouble(), onlyRises ? before.getMax() : 0);
    boolean late = levels.minute().mean() > each.maxResponse();
    double least = late ? LATE_FLOW_CHANGE : FLOW_CHANGE;
    if (differs(now, before.getMin(), least) || differs(now, before.getMax(), least)) {
      usage.put(each.id(), FlowCalibration.calibrated(promised.process(), planned, now));
      String detail =
          String.format(
              Locale.ROOT,
              "flows take %.4g of their longest branch, planned %.4g",
              now,
              before.getAverage());
      causes.add(new Cause(AdaptationRule.FLOWS, each.id(), detail));
    }
  }

  private static boolean differs(double now, double before, double least) {
    return Math.abs(now - before) > least * before;
  }

  /** Adds a cause, unless the same was reported recently; returns whether it was added. */
  private boolean addCause(Cause cause, double quiet, double now, List<Cause> causes) {
    SuppressedCause key = new SuppressedCause(cause.rule(), cause.subject());
    if (now - told.getOrDefault(key, Double.NEGATIVE_INFINITY) < quiet) {
      return false;
    }
    told.put(key, now);
    causes.add(cause);
    return true;
  }
}
