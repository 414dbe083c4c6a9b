package dev.pinion.broker.registry;

import dev.pinion.broker.model.ConcreteService;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A concrete service as promised by its provider: the provider's side of a contract.
 *
 * @param promise its name, and time and cost of one invocation
 * @param serves the abstract services that it can implement
 * @param endpoint base URI, without a trailing slash
 * @param traits its behaviour towards its callers
 * @param mapping differences of its messages from those of the abstract services
 * @param from the first moment at which it may be bound, or null for any
 * @param until the first moment at which it may no longer be bound, or null for none
 */
public record RegisteredService(
    ConcreteService promise,
    Set<String> serves,
    String endpoint,
    Traits traits,
    InterfaceMapping mapping,
    @Nullable Instant from,
    @Nullable Instant until) {
  /**
   * Behaviour of a service towards its callers.
   *
   * @param idempotent whether a repeated call has the effect of one
   * @param stateful whether it keeps state for its callers: then all calls of an instance to an
   *     abstract service that it serves go to one concrete service
   * @param async whether it may answer 202 and send its answer later, to the address in each call;
   *     the time of a call lasts until then
   */
  public record Traits(boolean idempotent, boolean stateful, boolean async) {}

  /** The form of names of services, abstract and concrete, and of classes. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** The longest base URI, in characters. */
  public static final int MAX_ENDPOINT_CHARS = 1_024;

  /** The most abstract services that one can implement. */
  public static final int MAX_SERVES = 100;

  /** Copies the set, in its order. */
  public RegisteredService {
    serves = Collections.unmodifiableSet(new LinkedHashSet<>(serves));
  }

  /** A service that keeps no state for its callers, and answers at once. */
  public RegisteredService(
      ConcreteService promise,
      Set<String> serves,
      String endpoint,
      boolean idempotent,
      InterfaceMapping mapping,
      @Nullable Instant from,
      @Nullable Instant until) {
    this(promise, serves, endpoint, new Traits(idempotent, false, false), mapping, from, until);
  }

  /** Its name. */
  public String id() {
    return promise.id();
  }

  /** Whether a repeated call has the effect of one. */
  public boolean idempotent() {
    return traits.idempotent();
  }

  /** Whether it keeps state for its callers. */
  public boolean stateful() {
    return traits.stateful();
  }

  /** Whether it may send its answer later. */
  public boolean async() {
    return traits.async();
  }

  /** Whether it may be bound at a moment. */
  public boolean isValidAt(Instant moment) {
    return (from == null || !moment.isBefore(from)) && (until == null || moment.isBefore(until));
  }

  /** The same, valid until another moment. */
  public RegisteredService withdrawn(Instant at) {
    return new RegisteredService(promise, serves, endpoint, traits, mapping, from, at);
  }
}
