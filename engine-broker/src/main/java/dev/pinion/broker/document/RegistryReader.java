package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pinion.broker.model.Pattern;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.Registry;
import dev.pinion.broker.registry.TableShare;
import dev.pinion.core.model.Candidates;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.JsonNumbers;
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
  private static final Map<String, Pattern> PATTERNS =
      Stream.of(Pattern.values()).collect(Collectors.toMap(Pattern::label, each -> each));

  private final ExpressionCheck expressions;

  /** A reader of documents with checks of expressions. */
  public RegistryReader(ExpressionCheck expressions) {
    this.expressions = expressions;
  }

  /** Reads a document of one service: a single entry of a registry. */
  public TableReading<RegisteredService> service(byte[] document) {
    return read(document, run -> run.services().read(run.root()));
  }

  /** Reads a registry. */
  public TableReading<Registry> registry(byte[] document) {
    return read(document, Run::registry);
  }

  /** Reads a table. */
  public TableReading<PublishedTable> table(byte[] document) {
    return read(document, Run::table);
  }

  private <T> TableReading<T> read(byte[] document, Function<Run, T> how) {
    if (document.length > MAX_BYTES) {
      return invalid(0, 0, "expected at most " + MAX_BYTES + " bytes, found " + document.length);
    }
    try {
      JsonTree tree = JsonTree.of(document, MAX_DEPTH);
      Problems problems = new Problems(tree.positions(), MAX_PROBLEMS);
      T value = how.apply(new Run(tree.root(), problems, expressions));
      return problems.isEmpty()
          ? new TableReading.Valid<>(value)
          : new TableReading.Invalid<>(problems.inOrder());
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation() == null ? JsonLocation.NA : e.getLocation();
      String message = "expected JSON, found: " + JsonNumbers.words(e);
      return invalid(Math.max(0, at.getLineNr()), Math.max(0, at.getColumnNr()), message);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private static <T> TableReading<T> invalid(int line, int column, String message) {
    return new TableReading.Invalid<>(List.of(new Diagnostic("", line, column, message, null)));
  }

  /** One document. */
  private record Run(Part root, Problems problems, ExpressionCheck expressions) {
    RegisteredServiceReader services() {
      return new RegisteredServiceReader(problems, expressions);
    }

    private void schema(Fields fields, String schema) {
      String found = fields.text("schema");
      if (!found.isEmpty() && !found.equals(schema)) {
        problems.expected("\"" + schema + "\" as schema", fields.get("schema"));
      }
    }

    Registry registry() {
      List<String> keys = List.of("schema", "version", "services", "stateful");
      Fields fields = new Fields(root, "the registry", keys, problems);
      schema(fields, REGISTRY);
      return registry(fields);
    }

    private Registry registry(Fields fields) {
      fields.required("version");
      int version = fields.count("version", 1);
      Map<String, RegisteredService> byId = new LinkedHashMap<>();
      List<Part> items = fields.items("services");
      if (items.size() > Registry.MAX_SERVICES) {
        problems.add(
            fields.get("services"),
            "expected at most " + Registry.MAX_SERVICES + " services, found " + items.size());
        return Registry.EMPTY;
      }
      for (Part item : items) {
        RegisteredService service = services().read(item);
        if (byId.putIfAbsent(service.id(), service) != null) {
          problems.expected("a unique id for each service", item.member("id"));
        }
      }
      Set<String> stateful = new LinkedHashSet<>();
      for (Part item : fields.optionalItems("stateful")) {
        if (!item.node().isTextual()) {
          problems.expected("the name of an abstract service", item);
        }
        services().checkName(item, "the name of an abstract service");
        stateful.add(item.node().asText());
      }
      return new Registry(version, List.copyOf(byId.values()), stateful);
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
      Fields fields = new Fields(root, "the table", keys, problems);
      schema(fields, TABLE);
      Registry registry = registry(fields);
      Map<String, Map<String, List<TableShare>>> bindings = new LinkedHashMap<>();
      Part classes = object(fields.required("bindings"), "classes");
      if (classes.node().size() > PublishedTable.MAX_CLASSES) {
        problems.add(
            classes,
            "expected at most "
                + PublishedTable.MAX_CLASSES
                + " classes, found "
                + classes.node().size());
        return new PublishedTable(1, "", registry, bindings);
      }
      for (String name : names(classes)) {
        Part ofClass = object(classes.member(name), "abstract services");
        Map<String, List<TableShare>> shares = new LinkedHashMap<>();
        for (String service : names(ofClass)) {
          shares.put(service, shares(ofClass.member(service), service, registry));
        }
        bindings.put(name, shares);
      }
      Map<String, Double> served = served(object(fields.get("served"), "classes"));
      Set<String> known = new LinkedHashSet<>(bindings.keySet());
      known.addAll(served.keySet());
      String defaultClass = fields.text("defaultClass");
      if (!defaultClass.isEmpty() && !known.contains(defaultClass)) {
        problems.unknown(
            "a class of the table as defaultClass",
            fields.get("defaultClass"),
            defaultClass,
            known);
      }
      return new PublishedTable(
          registry.version(),
          defaultClass,
          registry,
          bindings,
          callers(fields),
          rates(object(fields.get("rates"), "classes")),
          served);
    }

    private Map<String, Double> served(Part classes) {
      Map<String, Double> served = new LinkedHashMap<>();
      for (String name : names(classes)) {
        Part part = classes.member(name);
        double fraction = part.node().asDouble(-1);
        if (!RegisteredService.NAME.matcher(name).matches()) {
          problems.expected("the name of a class as key of served", part);
        }
        if (!part.node().isNumber() || !(fraction >= 0 && fraction < 1)) {
          problems.expected("a part from 0 and below 1", part);
        }
        served.put(name, fraction);
      }
      return served;
    }

    private Map<String, Map<String, Double>> rates(Part classes) {
      Map<String, Map<String, Double>> rates = new LinkedHashMap<>();
      for (String name : names(classes)) {
        Part users = object(classes.member(name), "users");
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

    private Map<String, List<String>> callers(Fields fields) {
      Map<String, List<String>> callers = new LinkedHashMap<>();
      Part users = object(fields.get("callers"), "users");
      for (String user : names(users)) {
        Part of = users.member(user);
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

    private Part object(Part part, String what) {
      if (part.isThere() && !part.node().isObject()) {
        problems.expected("an object of " + what, part);
      }
      return part;
    }

    private static List<String> names(Part part) {
      List<String> names = new ArrayList<>();
      part.node().fieldNames().forEachRemaining(names::add);
      return names;
    }

    private List<TableShare> shares(Part part, String abstractService, Registry registry) {
      if (!part.node().isArray() || part.node().isEmpty()) {
        problems.expected("an array of at least one share", part);
        return List.of();
      }
      List<TableShare> shares = new ArrayList<>();
      double sum = 0;
      for (int i = 0; i < part.node().size(); i++) {
        TableShare share = share(part.item(i), abstractService, registry);
        shares.add(share);
        sum += share.fraction();
      }
      if (Math.abs(sum - 1) > PublishedTable.TOLERANCE) {
        problems.add(part, "expected fractions that sum up to 1, found " + sum);
      }
      return shares;
    }

    private TableShare share(Part part, String abstractService, Registry registry) {
      Fields fields =
          new Fields(part, "a share", List.of("pattern", "services", "fraction"), problems);
      fields.required("pattern");
      Pattern pattern = fields.word("pattern", PATTERNS, Pattern.SINGLE);
      List<String> names = new ArrayList<>();
      List<Part> items = fields.someItems("services");
      boolean repeatable = !registry.keepsState(abstractService);
      for (Part item : items) {
        RegisteredService service = registry.service(item.node().asText()).orElse(null);
        if (service == null) {
          List<String> known = registry.services().stream().map(RegisteredService::id).toList();
          problems.unknown("a service of the table", item, item.node().asText(), known);
        } else {
          repeatable &= service.idempotent();
        }
        if (names.contains(item.node().asText())) {
          problems.expected("each service once in a share", item);
        }
        names.add(item.node().asText());
      }
      checkPattern(fields, pattern, items.size(), repeatable);
      return new TableShare(pattern, names, fields.number("fraction", Span.ABOVE_0_TO_1));
    }

    private void checkPattern(Fields fields, Pattern pattern, int size, boolean repeatable) {
      boolean single = pattern == Pattern.SINGLE;
      if (size > 0 && (single ? size > 1 : size < 2 || size > Candidates.MAX_SERVICES)) {
        problems.add(
            fields.get("services"),
            "expected "
                + (single ? "one service" : "2 to " + Candidates.MAX_SERVICES + " services")
                + " in the pattern "
                + pattern.label()
                + ", found "
                + size);
      }
      if (!single && !repeatable) {
        problems.add(
            fields.get("pattern"),
            "expected the pattern single where a service is not idempotent or keeps state, found "
                + pattern.label());
      }
    }
  }
}
