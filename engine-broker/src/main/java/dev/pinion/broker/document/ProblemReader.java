package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Implementations;
import dev.pinion.broker.model.Options;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.ResponseTime;
import dev.pinion.broker.optimise.Visits;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.JsonNumbers;
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
  public Reading read(byte[] document) {
    if (document.length > limits.maxBytes()) {
      String found = "expected at most " + limits.maxBytes() + " bytes, found " + document.length;
      return invalid(0, 0, found);
    }
    try {
      JsonTree tree = JsonTree.of(document, limits.maxDepth());
      Problems problems = new Problems(tree.positions(), limits.maxProblems());
      BrokerProblem problem = new Run(problems).read(tree.root());
      return problems.isEmpty()
          ? new Reading.Valid(problem)
          : new Reading.Invalid(problems.inOrder());
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation() == null ? JsonLocation.NA : e.getLocation();
      String message = "expected JSON, found: " + JsonNumbers.words(e);
      return invalid(Math.max(0, at.getLineNr()), Math.max(0, at.getColumnNr()), message);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private static Reading invalid(int line, int column, String message) {
    return new Reading.Invalid(List.of(new Diagnostic("", line, column, message, null)));
  }

  /** One document. */
  private final class Run {
    private final Problems problems;

    Run(Problems problems) {
      this.problems = problems;
    }

    BrokerProblem read(Part root) {
      Fields fields = new Fields(root, "the document", KEYS, problems);
      String schema = fields.text("schema");
      if (!schema.isEmpty() && !schema.equals(SCHEMA)) {
        problems.expected("\"" + SCHEMA + "\" as schema", fields.get("schema"));
      }
      String id = fields.text("id");
      checkRemarks(fields);
      Options options = OptionsReader.read(fields.required("options"), problems);
      ServiceReader services = new ServiceReader(problems, options);
      fields.items("services").forEach(services::readService);
      fields.items("tasks").forEach(services::readTask);
      ProcessReader process = new ProcessReader(problems, services.tasks().keySet(), mayBeEmpty);
      Part tree = fields.required("process");
      ProcessNode node = tree.isThere() ? process.read(tree) : new ProcessNode.Sequence(List.of());
      ClassReader reader = new ClassReader(problems, process);
      Map<String, ServiceClass> classes = classes(fields, reader);
      BrokerProblem problem =
          new BrokerProblem(
              id,
              options,
              node,
              List.copyOf(services.services().values()),
              List.copyOf(services.tasks().values()),
              List.copyOf(classes.values()),
              admission(fields, reader, classes));
      checkSize(problem, fields.get("options"));
      checkExtent(problem, tree);
      return problem;
    }

    /** Checks members for people, too. */
    private void checkRemarks(Fields fields) {
      if (fields.has("description")) {
        checkText(fields.get("description"), "description");
      }
      fields.optionalItems("tags").forEach(each -> checkText(each, "a tag"));
    }

    private void checkText(Part part, String what) {
      if (!part.node().isTextual()) {
        problems.expected("a string as " + what, part);
      }
    }

    private Map<String, ServiceClass> classes(Fields fields, ClassReader reader) {
      Map<String, ServiceClass> classes = new LinkedHashMap<>();
      for (Part part : fields.items("classes")) {
        ServiceClass each = reader.read(part);
        if (classes.putIfAbsent(each.id(), each) != null) {
          String again = "expected a unique id for each class, found \"" + each.id();
          problems.add(part.member("id"), again + "\" again");
        }
      }
      return classes;
    }

    private List<AdmissionRequest> admission(
        Fields fields, ClassReader reader, Map<String, ServiceClass> classes) {
      List<AdmissionRequest> requests = new ArrayList<>();
      for (Part part : fields.optionalItems("admission")) {
        Fields request =
            new Fields(part, "a request for admission", List.of("class", "join", "rate"), problems);
        double rate = request.number("rate", Span.ABOVE_0);
        if (request.has("class") == request.has("join")) {
          problems.add(part, "expected either \"class\" or \"join\" in a request for admission");
        } else if (request.has("join")) {
          join(request, classes, rate, requests);
        } else {
          create(request.get("class"), reader, classes, rate, requests);
        }
      }
      return requests;
    }

    private void join(
        Fields request,
        Map<String, ServiceClass> classes,
        double rate,
        List<AdmissionRequest> requests) {
      String id = request.text("join");
      ServiceClass joined = classes.get(id);
      if (joined != null) {
        requests.add(new AdmissionRequest(joined.withRate(rate), true));
      } else {
        problems.unknown("the id of a class", request.get("join"), id, classes.keySet());
      }
    }

    private void create(
        Part part,
        ClassReader reader,
        Map<String, ServiceClass> classes,
        double rate,
        List<AdmissionRequest> requests) {
      ServiceClass candidate = reader.read(part);
      if (classes.containsKey(candidate.id())) {
        problems.add(
            part.member("id"),
            "expected a class that is not there yet, found \""
                + candidate.id()
                + "\"; to add to its rate, say \"join\"");
      }
      requests.add(new AdmissionRequest(candidate.withRate(rate), false));
    }

    /** Refuses processes whose nested loops invoke more tasks than numbers can represent. */
    private void checkExtent(BrokerProblem problem, Part process) {
      if (!problems.isEmpty()) {
        return; // numbers that were reported already
      }
      List<ServiceClass> classes = new ArrayList<>(problem.classes());
      problem.admission().forEach(each -> classes.add(each.candidate()));
      for (ServiceClass each : classes) {
        double most = ResponseTime.of(problem.process(), each, _ -> 1);
        for (double visits : Visits.of(problem.process(), each).values()) {
          most = Math.max(most, visits);
        }
        if (!(most <= Span.MOST)) {
          problems.add(
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
    private void checkSize(BrokerProblem problem, Part options) {
      double columns = 0;
      for (AbstractTask task : problem.tasks()) {
        columns += Implementations.count(task, problem.options());
      }
      columns *= problem.classes().size();
      if (columns > limits.maxColumns()) {
        problems.add(
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
