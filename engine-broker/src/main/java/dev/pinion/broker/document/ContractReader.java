package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.contract.Contracts;
import dev.pinion.broker.contract.Sla;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.JsonNumbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Reads contracts, and the documents they consist of. References of models and classes to processes
 * are checked when a problem is made from them ({@link ProblemMaker}). Reports all problems at
 * once. Thread-safe.
 */
public final class ContractReader {
  /** The schema of all contracts. */
  public static final String SCHEMA = "broker-contracts/1";

  /** Bytes of the largest document. */
  public static final int MAX_BYTES = 64 << 20;

  private static final int MAX_DEPTH = 400;
  private static final int MAX_PROBLEMS = 100;
  private static final List<String> MODEL = List.of("options", "process", "defaultClass");
  private static final List<String> CONTRACTS =
      List.of("schema", "version", "model", "behaviour", "classes", "slas");

  /** Reads documents. */
  public ContractReader() {}

  /** Reads a contract of a user; an id in it must equal its id. */
  public TableReading<Sla> sla(String id, byte[] document) {
    return read(document, (part, problems) -> sla(id, part, problems));
  }

  /** Reads a class: the document without its id, which must equal its id. */
  public TableReading<String> serviceClass(String id, byte[] document) {
    return read(
        document,
        (part, problems) -> {
          checkId(id, part, problems);
          ObjectNode left = copy(part);
          left.remove("id");
          return left.toString();
        });
  }

  /** Reads a model. */
  public TableReading<String> model(byte[] document) {
    return read(document, ContractReader::model);
  }

  /** Reads all agreements. */
  public TableReading<Contracts> contracts(byte[] document) {
    return read(document, ContractReader::contracts);
  }

  private static String model(Part part, Problems problems) {
    Fields fields = new Fields(part, "the model", MODEL, problems);
    if (fields.has("defaultClass")) {
      checkName(fields.text("defaultClass"), fields.get("defaultClass"), problems);
    }
    return part.node().toString();
  }

  private static Sla sla(String id, Part part, Problems problems) {
    List<String> keys = List.of("id", "user", "class", "rate", "from", "until");
    Fields fields = new Fields(part, "a contract", keys, problems);
    checkId(id, part, problems);
    String user = fields.has("user") ? fields.text("user") : "";
    if (user.length() > Sla.MAX_USER_CHARS) {
      problems.expected("at most " + Sla.MAX_USER_CHARS + " characters", fields.get("user"));
    }
    RegisteredServiceReader moments = new RegisteredServiceReader(problems, _ -> null);
    Instant from = moments.instant(fields.get("from"), "from");
    Instant until = moments.instant(fields.get("until"), "until");
    if (from != null && until != null && !until.isAfter(from)) {
      problems.expected("a moment after from as until", fields.get("until"));
    }
    double rate = fields.number("rate", Span.ABOVE_0);
    return new Sla(id, user, fields.text("class"), rate, from, until);
  }

  private static Contracts contracts(Part part, Problems problems) {
    Fields fields = new Fields(part, "the contracts", CONTRACTS, problems);
    if (!fields.text("schema").equals(SCHEMA)) {
      problems.expected("\"" + SCHEMA + "\" as schema", fields.get("schema"));
    }
    String model = fields.has("model") ? model(fields.get("model"), problems) : "";
    String behaviour = fields.has("behaviour") ? copy(fields.get("behaviour")).toString() : "";
    Map<String, String> classes = new LinkedHashMap<>();
    members(fields.required("classes"))
        .forEach((id, each) -> classes.put(id, copy(each).toString()));
    Map<String, Sla> slas = new LinkedHashMap<>();
    members(fields.required("slas")).forEach((id, each) -> slas.put(id, sla(id, each, problems)));
    return new Contracts(fields.count("version", 1), model, behaviour, classes, slas);
  }

  /** The members of an object whose keys are names, in order; none of other values. */
  static Map<String, Part> members(Part part) {
    Map<String, Part> members = new LinkedHashMap<>();
    part.node().fieldNames().forEachRemaining(id -> members.put(id, part.member(id)));
    return members;
  }

  private static void checkId(String id, Part part, Problems problems) {
    Part own = part.member("id");
    if (own.isThere() && !own.node().asText().equals(id)) {
      problems.expected("\"" + id + "\", as in the path", own);
    }
    checkName(id, own.isThere() ? own : part, problems);
    if (!part.node().isObject()) {
      problems.expected("an object", part);
    }
  }

  private static void checkName(String name, Part part, Problems problems) {
    if (!RegisteredService.NAME.matcher(name).matches()) {
      problems.add(part, "expected a name like " + RegisteredService.NAME + ", found another one");
    }
  }

  private static ObjectNode copy(Part part) {
    return part.node() instanceof ObjectNode object
        ? object.deepCopy()
        : JsonNodeFactory.instance.objectNode();
  }

  /** Reads a document whose root a function reads, with all of its problems. */
  static <T> TableReading<T> read(byte[] document, BiFunction<Part, Problems, T> how) {
    if (document.length > MAX_BYTES) {
      return invalid("expected at most " + MAX_BYTES + " bytes, found " + document.length);
    }
    try {
      JsonTree tree = JsonTree.of(document, MAX_DEPTH);
      Problems problems = new Problems(tree.positions(), MAX_PROBLEMS);
      T value = how.apply(tree.root(), problems);
      return problems.isEmpty()
          ? new TableReading.Valid<>(value)
          : new TableReading.Invalid<>(problems.inOrder());
    } catch (JsonProcessingException e) {
      return invalid("expected JSON, found: " + JsonNumbers.words(e));
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private static <T> TableReading<T> invalid(String message) {
    return new TableReading.Invalid<>(List.of(new Diagnostic("", 0, 0, message, null)));
  }

  /** A document of a service with its id, which may be left out when a path has it. */
  public static byte[] withId(String id, byte[] document) {
    try {
      JsonTree tree = JsonTree.of(document, MAX_DEPTH);
      if (tree.root().node() instanceof ObjectNode object && !object.has("id")) {
        return object.put("id", id).toString().getBytes(StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      // Its reader reports the problem.
    }
    return document;
  }
}
