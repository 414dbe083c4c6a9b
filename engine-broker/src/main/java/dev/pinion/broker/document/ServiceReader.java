package dev.pinion.broker.document;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.ImplementationEnumerator;
import dev.pinion.broker.model.SolveOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads services, and tasks that refer to them. */
final class ServiceReader {
  /** Separators of services and patterns in names of implementations. */
  private static final java.util.regex.Pattern RESERVED = java.util.regex.Pattern.compile("[>|:]");

  private static final Map<String, CoordinationPattern> PATTERNS =
      Stream.of(CoordinationPattern.values())
          .collect(Collectors.toMap(CoordinationPattern::label, each -> each));

  private final DocumentDiagnostics documentDiagnostics;
  private final SolveOptions solveOptions;
  private final Map<String, ConcreteService> services = new LinkedHashMap<>();
  private final Map<String, AbstractTask> tasks = new LinkedHashMap<>();

  ServiceReader(DocumentDiagnostics documentDiagnostics, SolveOptions solveOptions) {
    this.documentDiagnostics = documentDiagnostics;
    this.solveOptions = solveOptions;
  }

  Map<String, ConcreteService> services() {
    return services;
  }

  Map<String, AbstractTask> tasks() {
    return tasks;
  }

  void readService(LocatedValue locatedValue) {
    ObjectFields objectFields =
        new ObjectFields(
            locatedValue, "service", List.of("id", "r", "d", "c", "load"), documentDiagnostics);
    ConcreteService service =
        new ConcreteService(
            objectFields.text("id"),
            objectFields.number("r", NumberRange.AT_LEAST_0),
            objectFields.number("d", NumberRange.ABOVE_0_TO_1),
            objectFields.number("c", NumberRange.AT_LEAST_0),
            objectFields.bound("load", NumberRange.AT_LEAST_0, Double.POSITIVE_INFINITY));
    if (RESERVED.matcher(service.id()).find()) {
      documentDiagnostics.expected("an id without > | :", objectFields.get("id"));
    }
    if (services.putIfAbsent(service.id(), service) != null) {
      documentDiagnostics.add(objectFields.get("id"), duplicate("service", service.id()));
    }
  }

  private static String duplicate(String what, String id) {
    return "expected a unique id for each " + what + ", found \"" + id + "\" again";
  }

  void readTask(LocatedValue locatedValue) {
    ObjectFields objectFields =
        new ObjectFields(
            locatedValue, "task", List.of("id", "services", "patterns"), documentDiagnostics);
    String id = objectFields.text("id");
    AbstractTask task = new AbstractTask(id, candidates(objectFields), patterns(objectFields));
    if (!task.services().isEmpty() && ImplementationEnumerator.count(task, solveOptions) == 0) {
      documentDiagnostics.add(
          objectFields.get("patterns"),
          "expected patterns that allow at least one implementation, found "
              + task.services().size()
              + " services and none");
    }
    if (tasks.putIfAbsent(id, task) != null) {
      documentDiagnostics.add(objectFields.get("id"), duplicate("task", id));
    }
  }

  private List<ConcreteService> candidates(ObjectFields objectFields) {
    List<ConcreteService> found = new ArrayList<>();
    for (LocatedValue item : objectFields.someItems("services")) {
      ConcreteService service = services.get(item.node().asText());
      if (!item.node().isTextual()) {
        documentDiagnostics.expected("the id of a service, a string", item);
      } else if (service == null) {
        documentDiagnostics.unknown(
            "the id of a service", item, item.node().asText(), services.keySet());
      } else if (found.contains(service)) {
        documentDiagnostics.add(
            item, "expected each service once, found \"" + service.id() + "\" again");
      } else {
        found.add(service);
      }
    }
    return found;
  }

  private Set<CoordinationPattern> patterns(ObjectFields objectFields) {
    if (!objectFields.has("patterns")) {
      return EnumSet.allOf(CoordinationPattern.class);
    }
    Set<CoordinationPattern> allowed = EnumSet.noneOf(CoordinationPattern.class);
    for (LocatedValue item : objectFields.someItems("patterns")) {
      allowed.add(objectFields.word(item, PATTERNS, CoordinationPattern.SINGLE));
    }
    return allowed;
  }
}
