package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.TableShare;
import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.codec.JsonNumbers;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads concrete services, registries and tables: documents of schemas {@value #REGISTRY} and
 * {@value #TABLE}, and single entries of them. Reports all problems at once, each with its place.
 * Thread-safe when its check of expressions is.
 */
public final class RegistryReader {
  /** The schema of a document of a registry. */
  public static final String REGISTRY = "broker-registry/1";

  /** The schema of a document of a table. */
  public static final String TABLE = "broker-table/1";

  /** Bytes of the largest document. */
  public static final int MAX_BYTES = 64 << 20;

  private static final int MAX_DEPTH = 16;
  private static final int MAX_PROBLEMS = 100;
  private static final Map<String, CoordinationPattern> PATTERNS =
      Stream.of(CoordinationPattern.values())
          .collect(Collectors.toMap(CoordinationPattern::label, each -> each));

  private final ExpressionCheck expressions;

  /** A reader of documents with checks of expressions. */
  public RegistryReader(ExpressionCheck expressions) {
    this.expressions = expressions;
  }

  /** Reads a document of one service: a single entry of a registry. */
  public DocumentReading<RegisteredService> service(byte[] document) {
    return read(document, registryParse -> registryParse.services().read(registryParse.root()));
  }

  /** Reads a registry. */
  public DocumentReading<ServiceRegistry> registry(byte[] document) {
    return read(document, RegistryParse::registry);
  }

  /** Reads a table. */
  public DocumentReading<PublishedTable> table(byte[] document) {
    return read(document, RegistryParse::table);
  }

  private <T> DocumentReading<T> read(byte[] document, Function<RegistryParse, T> how) {
    if (document.length > MAX_BYTES) {
      return invalid(0, 0, "expected at most " + MAX_BYTES + " bytes, found " + document.length);
    }
    try {
      LocatedJson tree = LocatedJson.of(document, MAX_DEPTH);
      DocumentDiagnostics documentDiagnostics =
          new DocumentDiagnostics(tree.positions(), MAX_PROBLEMS);
      T value = how.apply(new RegistryParse(tree.root(), documentDiagnostics, expressions));
      return documentDiagnostics.isEmpty()
          ? new DocumentReading.Valid<>(value)
          : new DocumentReading.Invalid<>(documentDiagnostics.inOrder());
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation() == null ? JsonLocation.NA : e.getLocation();
      String message = "expected JSON, found: " + JsonNumbers.describe(e);
      return invalid(Math.max(0, at.getLineNr()), Math.max(0, at.getColumnNr()), message);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private static <T> DocumentReading<T> invalid(int line, int column, String message) {
    return new DocumentReading.Invalid<>(List.of(new Diagnostic("", line, column, message, null)));
  }

  /** One document. */
  private record RegistryParse(
      LocatedValue root, DocumentDiagnostics problems, ExpressionCheck expressions) {
    RegisteredServiceReader services() {
      return new RegisteredServiceReader(problems, expressions);
    }

    private void schema(ObjectFields objectFields, String schema) {
      String found = objectFields.text("schema");
      if (!found.isEmpty() && !found.equals(schema)) {
        problems.expected("\"" + schema + "\" as schema", objectFields.get("schema"));
      }
    }

    ServiceRegistry registry() {
      List<String> keys = List.of("schema", "version", "services", "stateful");
      ObjectFields objectFields = new ObjectFields(root, "the registry", keys, problems);
      schema(objectFields, REGISTRY);
      return registry(objectFields);
    }

    private ServiceRegistry registry(ObjectFields objectFields) {
      objectFields.required("version");
      int version = objectFields.count("version", 1);
      Map<String, RegisteredService> byId = new LinkedHashMap<>();
      List<LocatedValue> items = objectFields.items("services");
      if (items.size() > ServiceRegistry.MAX_SERVICES) {
        problems.add(
            objectFields.get("services"),
            "expected at most "
                + ServiceRegistry.MAX_SERVICES
                + " services, found "
                + items.size());
        return ServiceRegistry.EMPTY;
      }
      for (LocatedValue item : items) {
        RegisteredService service = services().read(item);
        if (byId.putIfAbsent(service.id(), service) != null) {
          problems.expected("a unique id for each service", item.member("id"));
        }
      }
      Set<String> stateful = new LinkedHashSet<>();
      for (LocatedValue item : objectFields.optionalItems("stateful")) {
        if (!item.node().isTextual()) {
          problems.expected("the name of an abstract service", item);
        }
        services().checkName(item, "the name of an abstract service");
        stateful.add(item.node().asText());
      }
      return new ServiceRegistry(version, List.copyOf(byId.values()), stateful);
    }

    PublishedTable table() {
      List<String> keys =
          List.of(
              "schema",
              "version",
              "defaultClass",
              "services",
              "stateful",
              "bindings",
              "callers",
              "rates",
              "served");
      ObjectFields objectFields = new ObjectFields(root, "the table", keys, problems);
      schema(objectFields, TABLE);
      ServiceRegistry serviceRegistry = registry(objectFields);
      Map<String, Map<String, List<TableShare>>> bindings = new LinkedHashMap<>();
      LocatedValue classes = object(objectFields.required("bindings"), "classes");
      if (classes.node().size() > PublishedTable.MAX_CLASSES) {
        problems.add(
            classes,
            "expected at most "
                + PublishedTable.MAX_CLASSES
                + " classes, found "
                + classes.node().size());
        return new PublishedTable(1, "", serviceRegistry, bindings);
      }
      for (String name : names(classes)) {
        LocatedValue ofClass = object(classes.member(name), "abstract services");
        Map<String, List<TableShare>> shares = new LinkedHashMap<>();
        for (String service : names(ofClass)) {
          shares.put(service, shares(ofClass.member(service), service, serviceRegistry));
        }
        bindings.put(name, shares);
      }
      Map<String, Double> served = served(object(objectFields.get("served"), "classes"));
      Set<String> known = new LinkedHashSet<>(bindings.keySet());
      known.addAll(served.keySet());
      String defaultClass = objectFields.text("defaultClass");
      if (!defaultClass.isEmpty() && !known.contains(defaultClass)) {
        problems.unknown(
            "a class of the table as defaultClass",
            objectFields.get("defaultClass"),
            defaultClass,
            known);
      }
      return new PublishedTable(
          serviceRegistry.version(),
          defaultClass,
          serviceRegistry,
          bindings,
          callers(objectFields),
          rates(object(objectFields.get("rates"), "classes")),
          served);
    }

    private Map<String, Double> served(LocatedValue classes) {
      Map<String, Double> served = new LinkedHashMap<>();
      for (String name : names(classes)) {
        LocatedValue locatedValue = classes.member(name);
        double fraction = locatedValue.node().asDouble(-1);
        if (!RegisteredService.NAME.matcher(name).matches()) {
          problems.expected("the name of a class as key of served", locatedValue);
        }
        if (!locatedValue.node().isNumber() || !(fraction >= 0 && fraction < 1)) {
          problems.expected("a part from 0 and below 1", locatedValue);
        }
        served.put(name, fraction);
      }
      return served;
    }

    private Map<String, Map<String, Double>> rates(LocatedValue classes) {
      Map<String, Map<String, Double>> rates = new LinkedHashMap<>();
      for (String name : names(classes)) {
        LocatedValue users = object(classes.member(name), "users");
        if (!RegisteredService.NAME.matcher(name).matches()) {
          problems.expected("the name of a class as key of rates", users);
        }
        Map<String, Double> ofClass = new LinkedHashMap<>();
        for (String user : names(users)) {
          double rate = users.member(user).node().asDouble(0);
          if (!users.member(user).node().isNumber() || !(rate > 0 && Double.isFinite(rate))) {
            problems.expected("a rate above 0, in requests/s", users.member(user));
          }
          ofClass.put(user, rate);
        }
        rates.put(name, ofClass);
      }
      return rates;
    }

    private Map<String, List<String>> callers(ObjectFields objectFields) {
      Map<String, List<String>> callers = new LinkedHashMap<>();
      LocatedValue users = object(objectFields.get("callers"), "users");
      for (String user : names(users)) {
        LocatedValue of = users.member(user);
        if (!of.node().isArray() || of.node().isEmpty()) {
          problems.expected("an array of at least one class", of);
        }
        List<String> classes = new ArrayList<>();
        for (int i = 0; i < of.node().size(); i++) {
          services().checkName(of.item(i), "the name of a class");
          classes.add(of.item(i).node().asText());
        }
        callers.put(user, classes);
      }
      return callers;
    }

    private LocatedValue object(LocatedValue locatedValue, String what) {
      if (locatedValue.isPresent() && !locatedValue.node().isObject()) {
        problems.expected("an object of " + what, locatedValue);
      }
      return locatedValue;
    }

    private static List<String> names(LocatedValue locatedValue) {
      List<String> names = new ArrayList<>();
      locatedValue.node().fieldNames().forEachRemaining(names::add);
      return names;
    }

    private List<TableShare> shares(
        LocatedValue locatedValue, String abstractService, ServiceRegistry serviceRegistry) {
      if (!locatedValue.node().isArray() || locatedValue.node().isEmpty()) {
        problems.expected("an array of at least one share", locatedValue);
        return List.of();
      }
      List<TableShare> shares = new ArrayList<>();
      double sum = 0;
      for (int i = 0; i < locatedValue.node().size(); i++) {
        TableShare share = share(locatedValue.item(i), abstractService, serviceRegistry);
        shares.add(share);
        sum += share.fraction();
      }
      if (Math.abs(sum - 1) > PublishedTable.TOLERANCE) {
        problems.add(locatedValue, "expected fractions that sum up to 1, found " + sum);
      }
      return shares;
    }

    private TableShare share(
        LocatedValue locatedValue, String abstractService, ServiceRegistry serviceRegistry) {
      ObjectFields objectFields =
          new ObjectFields(
              locatedValue, "a share", List.of("pattern", "services", "fraction"), problems);
      objectFields.required("pattern");
      CoordinationPattern coordinationPattern =
          objectFields.word("pattern", PATTERNS, CoordinationPattern.SINGLE);
      List<String> names = new ArrayList<>();
      List<LocatedValue> items = objectFields.someItems("services");
      boolean repeatable = !serviceRegistry.keepsState(abstractService);
      for (LocatedValue item : items) {
        RegisteredService service = serviceRegistry.service(item.node().asText()).orElse(null);
        if (service == null) {
          List<String> known =
              serviceRegistry.services().stream().map(RegisteredService::id).toList();
          problems.unknown("a service of the table", item, item.node().asText(), known);
        } else {
          repeatable &= service.idempotent();
        }
        if (names.contains(item.node().asText())) {
          problems.expected("each service once in a share", item);
        }
        names.add(item.node().asText());
      }
      checkPattern(objectFields, coordinationPattern, items.size(), repeatable);
      return new TableShare(
          coordinationPattern, names, objectFields.number("fraction", NumberRange.ABOVE_0_TO_1));
    }

    private void checkPattern(
        ObjectFields objectFields,
        CoordinationPattern coordinationPattern,
        int size,
        boolean repeatable) {
      boolean single = coordinationPattern == CoordinationPattern.SINGLE;
      if (size > 0 && (single ? size > 1 : size < 2 || size > ServiceCandidates.MAX_SERVICES)) {
        problems.add(
            objectFields.get("services"),
            "expected "
                + (single ? "one service" : "2 to " + ServiceCandidates.MAX_SERVICES + " services")
                + " in the pattern "
                + coordinationPattern.label()
                + ", found "
                + size);
      }
      if (!single && !repeatable) {
        problems.add(
            objectFields.get("pattern"),
            "expected the pattern single where a service is not idempotent or keeps state, found "
                + coordinationPattern.label());
      }
    }
  }
}
