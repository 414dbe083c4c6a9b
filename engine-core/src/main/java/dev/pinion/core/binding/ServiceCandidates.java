package dev.pinion.core.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Services for a call of an abstract service, with their pattern. Immutable; any thread.
 *
 * @param pattern pattern of their calls
 * @param services in the order of their calls
 */
public record ServiceCandidates(Pattern pattern, List<ServiceEndpoint> services) {
  /** The most services of one pattern. */
  public static final int MAX_SERVICES = 8;

  /** Pattern of the calls of several services. */
  public enum Pattern {
    /** One service. */
    SINGLE(""),
    /** One after the other, until one succeeds. */
    ALTERNATE(">"),
    /** All at once; the first success cancels the others. */
    PARALLEL("|");

    /** Separator of the service ids in a name; never part of one. */
    private final String between;

    Pattern(String between) {
      this.between = between;
    }

    private static Pattern of(String name) {
      if (name.contains(ALTERNATE.between)) {
        return ALTERNATE;
      }
      return name.contains(PARALLEL.between) ? PARALLEL : SINGLE;
    }
  }

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException when there are too few or too many services for the pattern,
   *     or several of which one must not be repeated: a service whose response is lost may have
   *     done the work that another one would repeat
   */
  public ServiceCandidates {
    services = List.copyOf(services);
    int least = pattern == Pattern.SINGLE ? 1 : 2;
    int most = pattern == Pattern.SINGLE ? 1 : MAX_SERVICES;
    if (services.size() < least || services.size() > most) {
      throw new IllegalArgumentException(
          "expected "
              + (least == most ? "one service" : least + " to " + most + " services")
              + " in the pattern "
              + pattern
              + ", found "
              + services.size());
    }
    if (pattern != Pattern.SINGLE) {
      for (ServiceEndpoint each : services) {
        if (!each.idempotent()) {
          throw new IllegalArgumentException(
              "expected idempotent services in the pattern "
                  + pattern
                  + ", found \""
                  + each.id()
                  + "\", which is not");
        }
      }
    }
  }

  /** One service. */
  public static ServiceCandidates single(ServiceEndpoint service) {
    return new ServiceCandidates(Pattern.SINGLE, List.of(service));
  }

  /** The first service to call. */
  public ServiceEndpoint first() {
    return services.getFirst();
  }

  /** Whether this is one service that answers at once and needs no evaluation. */
  public boolean isDirect() {
    return pattern == Pattern.SINGLE && first().isPlain();
  }

  /**
   * Whether a repeated call must go to the same services: to a single one that must not run twice;
   * and to all earlier ones when one of them may answer later, since its answer may be on its way.
   */
  public boolean mustBeRecorded() {
    for (ServiceEndpoint each : services) { // read for every call: nothing is allocated
      if (each.async()) {
        return true;
      }
    }
    return !first().idempotent();
  }

  /** Name of pattern and services, for {@link #of}. */
  public String name() {
    return services.stream().map(ServiceEndpoint::id).collect(Collectors.joining(pattern.between));
  }

  /**
   * Candidates by their name.
   *
   * @param services returns a service by its id, null when it has been removed
   * @return null when a service has been removed, or may no longer be called in this pattern
   */
  public static @Nullable ServiceCandidates of(
      String name, Function<String, @Nullable ServiceCandidates> services) {
    Pattern pattern = Pattern.of(name);
    if (pattern == Pattern.SINGLE) {
      return services.apply(name);
    }
    List<ServiceEndpoint> members = new ArrayList<>();
    for (String id : name.split(java.util.regex.Pattern.quote(pattern.between), -1)) {
      ServiceCandidates member = services.apply(id);
      if (member == null || !member.first().idempotent()) {
        return null;
      }
      members.add(member.first());
    }
    return new ServiceCandidates(pattern, members);
  }
}
