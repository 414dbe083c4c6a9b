package dev.pinion.core.language.field;

import dev.pinion.core.document.SourceText.Position;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.call.Program;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the compiler finds in a definition and in the documents that it refers to: problems and
 * warnings, each once and up to a limit; abstract services, programs and secrets, up to the same
 * limit; origins of calls.
 */
public final class Findings {
  private static final Comparator<Diagnostic> BY_POSITION =
      Comparator.comparingInt(Diagnostic::line)
          .thenComparingInt(Diagnostic::column)
          .thenComparing(Diagnostic::pointer)
          .thenComparing(Diagnostic::message);

  private final int most;
  private final Set<Diagnostic> problems = new LinkedHashSet<>();
  private final Set<Diagnostic> warnings = new LinkedHashSet<>();
  private final Set<ServiceUse> services = new LinkedHashSet<>();
  private final Set<ProgramUse> programs = new LinkedHashSet<>();
  private final Set<SecretUse> secrets = new LinkedHashSet<>();
  private final Set<String> origins = new LinkedHashSet<>();
  private boolean more;

  /**
   * A call of an abstract service that the document names; a computed name is known only when the
   * call is made.
   *
   * @param name the abstract service
   * @param pointer JSON pointer of the endpoint
   * @param line its line, from 1
   * @param column its column, from 1
   */
  public record ServiceUse(String name, String pointer, int line, int column) {}

  /**
   * A program that the document runs on this machine.
   *
   * @param kind kind of program
   * @param pointer JSON pointer of its command, code or image
   * @param line its line, from 1
   * @param column its column, from 1
   */
  public record ProgramUse(Program.Kind kind, String pointer, int line, int column) {}

  /**
   * A use of a secret.
   *
   * @param name its name
   * @param pointer JSON pointer of the place
   * @param line its line, from 1
   * @param column its column, from 1
   */
  public record SecretUse(String name, String pointer, int line, int column) {}

  /** Findings up to a limit of each kind. */
  public Findings(int most) {
    this.most = most;
  }

  /** Whether there is a problem, so that the definition is refused. */
  public boolean hasProblems() {
    return !problems.isEmpty();
  }

  /** The problems by position; last, if there are more than the limit, one that says so. */
  public List<Diagnostic> problems() {
    List<Diagnostic> sorted = sorted(problems);
    if (more) {
      sorted.add(
          new Diagnostic(
              "",
              0,
              0,
              "expected at most " + most + " problems (definition.maxProblems), found more",
              null));
    }
    return List.copyOf(sorted);
  }

  /** The warnings by position. */
  public List<Diagnostic> warnings() {
    return List.copyOf(sorted(warnings));
  }

  /** The abstract services that the definition names, by position. */
  public List<ServiceUse> services() {
    return services.stream().sorted(Comparator.comparingInt(use -> use.line())).toList();
  }

  /** Programs that tasks run on this machine, by position. */
  public List<ProgramUse> programs() {
    return programs.stream().sorted(Comparator.comparingInt(use -> use.line())).toList();
  }

  /** The secrets that calls use, by position. */
  public List<SecretUse> secrets() {
    return secrets.stream().sorted(Comparator.comparingInt(use -> use.line())).toList();
  }

  /** Origins of calls that name a service by its address, each once, in the order of the text. */
  public List<String> origins() {
    return List.copyOf(origins);
  }

  private static List<Diagnostic> sorted(Collection<Diagnostic> found) {
    List<Diagnostic> sorted = new ArrayList<>(found);
    sorted.sort(BY_POSITION);
    return sorted;
  }

  /** Whether another problem counts; if not, nobody has to find its place. */
  boolean takesProblems() {
    return !more;
  }

  /** Whether another warning counts. */
  boolean takesWarnings() {
    return warnings.size() < most;
  }

  void addProblem(
      Position position, String pointer, String message, Supplier<@Nullable String> suggestion) {
    if (more) {
      return;
    }
    Diagnostic problem = diagnostic(position, pointer, message, suggestion);
    if (problems.size() < most) {
      problems.add(problem);
    } else {
      more = !problems.contains(problem);
    }
  }

  void addWarning(
      Position position, String pointer, String message, Supplier<@Nullable String> suggestion) {
    if (warnings.size() < most) {
      warnings.add(diagnostic(position, pointer, message, suggestion));
    }
  }

  private static Diagnostic diagnostic(
      Position position, String pointer, String message, Supplier<@Nullable String> suggestion) {
    return new Diagnostic(pointer, position.line(), position.column(), message, suggestion.get());
  }

  void addService(Position position, String pointer, String service) {
    if (services.size() < most) {
      services.add(new ServiceUse(service, pointer, position.line(), position.column()));
    }
  }

  void addProgram(Position position, String pointer, Program.Kind kind) {
    if (programs.size() < most) {
      programs.add(new ProgramUse(kind, pointer, position.line(), position.column()));
    }
  }

  void addSecret(Position position, String pointer, String name) {
    if (secrets.size() < most) {
      secrets.add(new SecretUse(name, pointer, position.line(), position.column()));
    }
  }

  void addOrigin(String origin) {
    origins.add(origin);
  }
}
