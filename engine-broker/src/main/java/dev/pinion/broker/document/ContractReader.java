package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.Sla;
import dev.pinion.core.codec.JsonNumbers;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Reads contracts, and the documents they consist of. References of models and classes to processes
 * are checked when a problem is made from them ({@link ProblemBuilder}). Reports all problems at
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
  public DocumentReading<Sla> sla(String id, byte[] document) {
    return read(
        document,
        (locatedValue, documentDiagnostics) -> sla(id, locatedValue, documentDiagnostics));
  }

  /** Reads a class: the document without its id, which must equal its id. */
  public DocumentReading<String> serviceClass(String id, byte[] document) {
    return read(
        document,
        (locatedValue, documentDiagnostics) -> {
          checkId(id, locatedValue, documentDiagnostics);
          ObjectNode left = copy(locatedValue);
          left.remove("id");
          return left.toString();
        });
  }

  /** Reads a model. */
  public DocumentReading<String> model(byte[] document) {
    return read(document, ContractReader::model);
  }

  /** Reads all agreements. */
  public DocumentReading<Contracts> contracts(byte[] document) {
    return read(document, ContractReader::contracts);
  }

  private static String model(LocatedValue locatedValue, DocumentDiagnostics documentDiagnostics) {
    ObjectFields objectFields =
        new ObjectFields(locatedValue, "the model", MODEL, documentDiagnostics);
    if (objectFields.has("defaultClass")) {
      checkName(
          objectFields.text("defaultClass"), objectFields.get("defaultClass"), documentDiagnostics);
    }
    return locatedValue.node().toString();
  }

  private static Sla sla(
      String id, LocatedValue locatedValue, DocumentDiagnostics documentDiagnostics) {
    List<String> keys = List.of("id", "user", "class", "rate", "from", "until");
    ObjectFields objectFields =
        new ObjectFields(locatedValue, "a contract", keys, documentDiagnostics);
    checkId(id, locatedValue, documentDiagnostics);
    String user = objectFields.has("user") ? objectFields.text("user") : "";
    if (user.length() > Sla.MAX_USER_CHARS) {
      documentDiagnostics.expected(
          "at most " + Sla.MAX_USER_CHARS + " characters", objectFields.get("user"));
    }
    RegisteredServiceReader moments = new RegisteredServiceReader(documentDiagnostics, _ -> null);
    Instant from = moments.instant(objectFields.get("from"), "from");
    Instant until = moments.instant(objectFields.get("until"), "until");
    if (from != null && until != null && !until.isAfter(from)) {
      documentDiagnostics.expected("a moment after from as until", objectFields.get("until"));
    }
    double rate = objectFields.number("rate", NumberRange.ABOVE_0);
    return new Sla(id, user, objectFields.text("class"), rate, from, until);
  }

  private static Contracts contracts(
      LocatedValue locatedValue, DocumentDiagnostics documentDiagnostics) {
    ObjectFields objectFields =
        new ObjectFields(locatedValue, "the contracts", CONTRACTS, documentDiagnostics);
    if (!objectFields.text("schema").equals(SCHEMA)) {
      documentDiagnostics.expected("\"" + SCHEMA + "\" as schema", objectFields.get("schema"));
    }
    String model =
        objectFields.has("model") ? model(objectFields.get("model"), documentDiagnostics) : "";
    String behaviour =
        objectFields.has("behaviour") ? copy(objectFields.get("behaviour")).toString() : "";
    Map<String, String> classes = new LinkedHashMap<>();
    members(objectFields.required("classes"))
        .forEach((id, each) -> classes.put(id, copy(each).toString()));
    Map<String, Sla> slas = new LinkedHashMap<>();
    members(objectFields.required("slas"))
        .forEach((id, each) -> slas.put(id, sla(id, each, documentDiagnostics)));
    return new Contracts(objectFields.count("version", 1), model, behaviour, classes, slas);
  }

  /** The members of an object whose keys are names, in order; none of other values. */
  static Map<String, LocatedValue> members(LocatedValue locatedValue) {
    Map<String, LocatedValue> members = new LinkedHashMap<>();
    locatedValue
        .node()
        .fieldNames()
        .forEachRemaining(id -> members.put(id, locatedValue.member(id)));
    return members;
  }

  private static void checkId(
      String id, LocatedValue locatedValue, DocumentDiagnostics documentDiagnostics) {
    LocatedValue own = locatedValue.member("id");
    if (own.isPresent() && !own.node().asText().equals(id)) {
      documentDiagnostics.expected("\"" + id + "\", as in the path", own);
    }
    checkName(id, own.isPresent() ? own : locatedValue, documentDiagnostics);
    if (!locatedValue.node().isObject()) {
      documentDiagnostics.expected("an object", locatedValue);
    }
  }

  private static void checkName(
      String name, LocatedValue locatedValue, DocumentDiagnostics documentDiagnostics) {
    if (!RegisteredService.NAME.matcher(name).matches()) {
      documentDiagnostics.add(
          locatedValue, "expected a name like " + RegisteredService.NAME + ", found another one");
    }
  }

  private static ObjectNode copy(LocatedValue locatedValue) {
    return locatedValue.node() instanceof ObjectNode object
        ? object.deepCopy()
        : JsonNodeFactory.instance.objectNode();
  }

  /** Reads a document whose root a function reads, with all of its problems. */
  static <T> DocumentReading<T> read(
      byte[] document, BiFunction<LocatedValue, DocumentDiagnostics, T> how) {
    if (document.length > MAX_BYTES) {
      return invalid("expected at most " + MAX_BYTES + " bytes, found " + document.length);
    }
    try {
      LocatedJson tree = LocatedJson.of(document, MAX_DEPTH);
      DocumentDiagnostics documentDiagnostics =
          new DocumentDiagnostics(tree.positions(), MAX_PROBLEMS);
      T value = how.apply(tree.root(), documentDiagnostics);
      return documentDiagnostics.isEmpty()
          ? new DocumentReading.Valid<>(value)
          : new DocumentReading.Invalid<>(documentDiagnostics.inOrder());
    } catch (JsonProcessingException e) {
      return invalid("expected JSON, found: " + JsonNumbers.describe(e));
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private static <T> DocumentReading<T> invalid(String message) {
    return new DocumentReading.Invalid<>(List.of(new Diagnostic("", 0, 0, message, null)));
  }

  /** A document of a service with its id, which may be left out when a path has it. */
  public static byte[] withId(String id, byte[] document) {
    try {
      LocatedJson tree = LocatedJson.of(document, MAX_DEPTH);
      if (tree.root().node() instanceof ObjectNode object && !object.has("id")) {
        return object.put("id", id).toString().getBytes(StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      // Its reader reports the problem.
    }
    return document;
  }
}
