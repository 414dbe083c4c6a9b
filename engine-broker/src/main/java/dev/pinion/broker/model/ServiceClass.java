package dev.pinion.broker.model;

import java.util.List;
import java.util.Map;

/**
 * A class of service: the promises to its users, and their rate of requests. Without a promise the
 * bound is one that always holds: infinite time or cost, reliability 0.
 *
 * @param id its name, unique in a problem
 * @param rate requests/s, the sum of what its users contracted; more than 0
 * @param promise the bounds that its users are promised
 * @param price revenue of a request
 * @param importance weight among classes when not all promises can be kept, at least 0
 * @param weights weights of its users' preferences
 * @param usage by id of a node, the paths of its requests through it
 */
public record ServiceClass(
    String id,
    double rate,
    Promise promise,
    double price,
    double importance,
    SawWeights weights,
    Map<String, UsageProfile> usage) {
  /**
   * Bounds of a class.
   *
   * @param maxResponse bound of the mean response time in seconds
   * @param minReliability bound of the probability of success, in [0, 1]
   * @param maxCost bound of the mean cost of a request
   */
  public record Promise(double maxResponse, double minReliability, double maxCost) {}

  /** Copies the map. */
  public ServiceClass {
    usage = Map.copyOf(usage);
  }

  /** Bound of the mean response time in seconds. */
  public double maxResponse() {
    return promise.maxResponse();
  }

  /** Bound of the probability of success, in [0, 1]. */
  public double minReliability() {
    return promise.minReliability();
  }

  /** Bound of the mean cost of a request. */
  public double maxCost() {
    return promise.maxCost();
  }

  /** Whether a mean response time is promised. */
  public boolean boundsResponse() {
    return maxResponse() < Double.POSITIVE_INFINITY;
  }

  /** Whether a reliability is promised. */
  public boolean boundsReliability() {
    return minReliability() > 0;
  }

  /** Whether a mean cost is promised. */
  public boolean boundsCost() {
    return maxCost() < Double.POSITIVE_INFINITY;
  }

  /**
   * The probabilities of a choice for this class; those of the process unless there is one for each
   * child.
   */
  public List<Double> probabilities(ProcessNode.Choice choice) {
    List<Double> own = usage(choice.id()).probabilities();
    return own.size() == choice.children().size() ? own : choice.probabilities();
  }

  /** The expected rounds of a loop for this class. */
  public double iterations(ProcessNode.Loop loop) {
    return usage(loop.id()).iterations().orElse(loop.iterations());
  }

  /** The calibration of a flow for this class. */
  public double gamma(ProcessNode.Flow flow) {
    return usage(flow.id()).gamma().orElse(flow.gamma());
  }

  private UsageProfile usage(String node) {
    return usage.getOrDefault(node, UsageProfile.SAME);
  }

  /** The same class with another rate. */
  public ServiceClass withRate(double other) {
    return with(id, other);
  }

  /** The same class with another name. */
  public ServiceClass withId(String other) {
    return with(other, rate);
  }

  /** The same class with other paths of its requests. */
  public ServiceClass withUsage(Map<String, UsageProfile> others) {
    return new ServiceClass(id, rate, promise, price, importance, weights, others);
  }

  /** The same class with another bound of the mean response time, in seconds. */
  public ServiceClass withMaxResponse(double other) {
    return new ServiceClass(
        id,
        rate,
        new Promise(other, minReliability(), maxCost()),
        price,
        importance,
        weights,
        usage);
  }

  private ServiceClass with(String name, double other) {
    return new ServiceClass(name, other, promise, price, importance, weights, usage);
  }
}
