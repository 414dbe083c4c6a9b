package dev.pinion.broker.document;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Implementations;
import dev.pinion.broker.model.Options;
import dev.pinion.broker.model.Pattern;
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

  private static final Map<String, Pattern> PATTERNS =
      Stream.of(Pattern.values()).collect(Collectors.toMap(Pattern::label, each -> each));

  private final Problems problems;
  private final Options options;
  private final Map<String, ConcreteService> services = new LinkedHashMap<>();
  private final Map<String, AbstractTask> tasks = new LinkedHashMap<>();

  ServiceReader(Problems problems, Options options) {
    this.problems = problems;
    this.options = options;
  }

  Map<String, ConcreteService> services() {
    return services;
  }

  Map<String, AbstractTask> tasks() {
    return tasks;
  }

  void readService(Part part) {
    Fields fields = new Fields(part, "service", List.of("id", "r", "d", "c", "load"), problems);
    ConcreteService service =
        new ConcreteService(
            fields.text("id"),
            fields.number("r", Span.AT_LEAST_0),
            fields.number("d", Span.ABOVE_0_TO_1),
            fields.number("c", Span.AT_LEAST_0),
            fields.bound("load", Span.AT_LEAST_0, Double.POSITIVE_INFINITY));
    if (RESERVED.matcher(service.id()).find()) {
      problems.expected("an id without > | :", fields.get("id"));
    }
    if (services.putIfAbsent(service.id(), service) != null) {
      problems.add(fields.get("id"), again("service", service.id()));
    }
  }

  private static String again(String what, String id) {
    return "expected a unique id for each " + what + ", found \"" + id + "\" again";
  }

  void readTask(Part part) {
    Fields fields = new Fields(part, "task", List.of("id", "services", "patterns"), problems);
    String id = fields.text("id");
    AbstractTask task = new AbstractTask(id, candidates(fields), patterns(fields));
    if (!task.services().isEmpty() && Implementations.count(task, options) == 0) {
      problems.add(
          fields.get("patterns"),
          "expected patterns that allow at least one implementation, found "
              + task.services().size()
              + " services and none");
    }
    if (tasks.putIfAbsent(id, task) != null) {
      problems.add(fields.get("id"), again("task", id));
    }
  }

  private List<ConcreteService> candidates(Fields fields) {
    List<ConcreteService> found = new ArrayList<>();
    for (Part item : fields.someItems("services")) {
      ConcreteService service = services.get(item.node().asText());
      if (!item.node().isTextual()) {
        problems.expected("the id of a service, a string", item);
      } else if (service == null) {
        problems.unknown("the id of a service", item, item.node().asText(), services.keySet());
      } else if (found.contains(service)) {
        problems.add(item, "expected each service once, found \"" + service.id() + "\" again");
      } else {
        found.add(service);
      }
    }
    return found;
  }

  private Set<Pattern> patterns(Fields fields) {
    if (!fields.has("patterns")) {
      return EnumSet.allOf(Pattern.class);
    }
    Set<Pattern> allowed = EnumSet.noneOf(Pattern.class);
    for (Part item : fields.someItems("patterns")) {
      allowed.add(fields.word(item, PATTERNS, Pattern.SINGLE));
    }
    return allowed;
  }
}
