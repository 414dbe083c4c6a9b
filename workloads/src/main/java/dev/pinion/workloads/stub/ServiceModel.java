package dev.pinion.workloads.stub;

/**
 * Formula of the services. Service {@code s<k>} returns {@code 2 · value + k}: calling the wrong
 * service, calling in another order or omitting a call all give a different result.
 */
public final class ServiceModel {
  /** The greatest magnitude of a request's value: every result is exact as a JSON number. */
  public static final long MAX_VALUE = 1L << 50;

  private ServiceModel() {}

  /**
   * The value that a service returns.
   *
   * @param service number of the service, from 1
   * @param value value of the request, at most {@link #MAX_VALUE} in magnitude
   */
  public static long value(int service, long value) {
    return 2 * value + service;
  }

  /** Name of a service: {@code s1}, {@code s2} and so on. */
  public static String name(int service) {
    return "s" + service;
  }
}
