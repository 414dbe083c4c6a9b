package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ImplementationEnumerator;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.SolveOptions;
import dev.pinion.broker.optimise.ResponseTimeModel;
import dev.pinion.broker.optimise.VisitRatios;
import dev.pinion.core.codec.JsonNumbers;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads a document of schema {@code broker-lp/1}. Reports all problems at once, each with its
 * place, the expectation, the value found, and perhaps a suggestion. Thread-safe.
 */
public final class ProblemReader {
  /** The schema in documents. */
  public static final String SCHEMA = "broker-lp/1";

  private static final List<String> KEYS =
      List.of(
          "schema",
          "id",
          "description",
          "tags",
          "options",
          "process",
          "services",
          "tasks",
          "classes",
          "admission",
          "expected");

  private final ProblemLimits limits;
  private final boolean mayBeEmpty;

  /** Reads documents within limits. */
  public ProblemReader(ProblemLimits limits) {
    this(limits, false);
  }

  /**
   * Reads documents within limits.
   *
   * @param mayBeEmpty whether a sequence may have no children, which the schema does not allow
   */
  ProblemReader(ProblemLimits limits, boolean mayBeEmpty) {
    this.limits = limits;
    this.mayBeEmpty = mayBeEmpty;
  }

  /** Reads a document. Ignores the solution that it expects ({@code expected}). */
  public ProblemReading read(byte[] document) {
    if (document.length > limits.maxBytes()) {
      String found = "expected at most " + limits.maxBytes() + " bytes, found " + document.length;
      return invalid(0, 0, found);
    }
    try {
      LocatedJson tree = LocatedJson.of(document, limits.maxDepth());
      DocumentDiagnostics documentDiagnostics =
          new DocumentDiagnostics(tree.positions(), limits.maxProblems());
      BrokerProblem problem = new ProblemParse(documentDiagnostics).read(tree.root());
      return documentDiagnostics.isEmpty()
          ? new ProblemReading.ValidProblem(problem)
          : new ProblemReading.InvalidProblem(documentDiagnostics.inOrder());
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation() == null ? JsonLocation.NA : e.getLocation();
      String message = "expected JSON, found: " + JsonNumbers.describe(e);
      return invalid(Math.max(0, at.getLineNr()), Math.max(0, at.getColumnNr()), message);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private static ProblemReading invalid(int line, int column, String message) {
    return new ProblemReading.InvalidProblem(
        List.of(new Diagnostic("", line, column, message, null)));
  }

  /** One document. */
  private final class ProblemParse {
    private final DocumentDiagnostics documentDiagnostics;

    ProblemParse(DocumentDiagnostics documentDiagnostics) {
      this.documentDiagnostics = documentDiagnostics;
    }

    BrokerProblem read(LocatedValue root) {
      ObjectFields objectFields = new ObjectFields(root, "the document", KEYS, documentDiagnostics);
      String schema = objectFields.text("schema");
      if (!schema.isEmpty() && !schema.equals(SCHEMA)) {
        documentDiagnostics.expected("\"" + SCHEMA + "\" as schema", objectFields.get("schema"));
      }
      String id = objectFields.text("id");
      checkRemarks(objectFields);
      SolveOptions solveOptions =
          SolveOptionsReader.read(objectFields.required("options"), documentDiagnostics);
      ServiceReader services = new ServiceReader(documentDiagnostics, solveOptions);
      objectFields.items("services").forEach(services::readService);
      objectFields.items("tasks").forEach(services::readTask);
      ProcessReader process =
          new ProcessReader(documentDiagnostics, services.tasks().keySet(), mayBeEmpty);
      LocatedValue tree = objectFields.required("process");
      ProcessNode node =
          tree.isPresent() ? process.read(tree) : new ProcessNode.Sequence(List.of());
      ServiceClassReader reader = new ServiceClassReader(documentDiagnostics, process);
      Map<String, ServiceClass> classes = classes(objectFields, reader);
      BrokerProblem problem =
          new BrokerProblem(
              id,
              solveOptions,
              node,
              List.copyOf(services.services().values()),
              List.copyOf(services.tasks().values()),
              List.copyOf(classes.values()),
              admission(objectFields, reader, classes));
      checkSize(problem, objectFields.get("options"));
      checkExtent(problem, tree);
      return problem;
    }

    /** Checks members for people, too. */
    private void checkRemarks(ObjectFields objectFields) {
      if (objectFields.has("description")) {
        checkText(objectFields.get("description"), "description");
      }
      objectFields.optionalItems("tags").forEach(each -> checkText(each, "a tag"));
    }

    private void checkText(LocatedValue locatedValue, String what) {
      if (!locatedValue.node().isTextual()) {
        documentDiagnostics.expected("a string as " + what, locatedValue);
      }
    }

    private Map<String, ServiceClass> classes(
        ObjectFields objectFields, ServiceClassReader reader) {
      Map<String, ServiceClass> classes = new LinkedHashMap<>();
      for (LocatedValue locatedValue : objectFields.items("classes")) {
        ServiceClass each = reader.read(locatedValue);
        if (classes.putIfAbsent(each.id(), each) != null) {
          String again = "expected a unique id for each class, found \"" + each.id();
          documentDiagnostics.add(locatedValue.member("id"), again + "\" again");
        }
      }
      return classes;
    }

    private List<AdmissionRequest> admission(
        ObjectFields objectFields, ServiceClassReader reader, Map<String, ServiceClass> classes) {
      List<AdmissionRequest> requests = new ArrayList<>();
      for (LocatedValue locatedValue : objectFields.optionalItems("admission")) {
        ObjectFields request =
            new ObjectFields(
                locatedValue,
                "a request for admission",
                List.of("class", "join", "rate"),
                documentDiagnostics);
        double rate = request.number("rate", NumberRange.ABOVE_0);
        if (request.has("class") == request.has("join")) {
          documentDiagnostics.add(
              locatedValue, "expected either \"class\" or \"join\" in a request for admission");
        } else if (request.has("join")) {
          join(request, classes, rate, requests);
        } else {
          create(request.get("class"), reader, classes, rate, requests);
        }
      }
      return requests;
    }

    private void join(
        ObjectFields request,
        Map<String, ServiceClass> classes,
        double rate,
        List<AdmissionRequest> requests) {
      String id = request.text("join");
      ServiceClass joined = classes.get(id);
      if (joined != null) {
        requests.add(new AdmissionRequest(joined.withRate(rate), true));
      } else {
        documentDiagnostics.unknown("the id of a class", request.get("join"), id, classes.keySet());
      }
    }

    private void create(
        LocatedValue locatedValue,
        ServiceClassReader reader,
        Map<String, ServiceClass> classes,
        double rate,
        List<AdmissionRequest> requests) {
      ServiceClass candidate = reader.read(locatedValue);
      if (classes.containsKey(candidate.id())) {
        documentDiagnostics.add(
            locatedValue.member("id"),
            "expected a class that is not there yet, found \""
                + candidate.id()
                + "\"; to add to its rate, say \"join\"");
      }
      requests.add(new AdmissionRequest(candidate.withRate(rate), false));
    }

    /** Refuses processes whose nested loops invoke more tasks than numbers can represent. */
    private void checkExtent(BrokerProblem problem, LocatedValue process) {
      if (!documentDiagnostics.isEmpty()) {
        return; // numbers that were reported already
      }
      List<ServiceClass> classes = new ArrayList<>(problem.classes());
      problem.admission().forEach(each -> classes.add(each.candidate()));
      for (ServiceClass each : classes) {
        double most = ResponseTimeModel.of(problem.process(), each, _ -> 1);
        for (double visits : VisitRatios.of(problem.process(), each).values()) {
          most = Math.max(most, visits);
        }
        if (!(most <= NumberRange.MOST)) {
          documentDiagnostics.add(
              process,
              "expected at most 1e12 invocations of a task in a request, found "
                  + most
                  + " for class \""
                  + each.id()
                  + "\"; lower iterations or gamma");
        }
      }
    }

    /** Refuses to enumerate more columns than can be solved. */
    private void checkSize(BrokerProblem problem, LocatedValue options) {
      double columns = 0;
      for (AbstractTask task : problem.tasks()) {
        columns += ImplementationEnumerator.count(task, problem.options());
      }
      columns *= problem.classes().size();
      if (columns > limits.maxColumns()) {
        documentDiagnostics.add(
            options,
            String.format(
                Locale.ROOT,
                "expected at most %d columns, found %.0f: lower max_alt or max_par, or the number"
                    + " of services of tasks",
                limits.maxColumns(),
                columns));
      }
    }
  }
}
