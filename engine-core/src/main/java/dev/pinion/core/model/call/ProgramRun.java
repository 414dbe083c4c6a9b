package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Request to run a program on this machine (DSL reference, "Run").
 *
 * @param program the program
 * @param arguments its arguments, which no shell reads
 * @param environment environment variables, in addition to those that every program gets
 * @param body standard input: a text as it is, other values as JSON; null for none
 * @param returns the output of the task
 * @param detached output of a task that does not wait for the program; null when it waits
 * @param secrets parts that need secrets; null when there are none
 * @param hidden the values of secrets in the whole run
 */
public record ProgramRun(
    Program program,
    List<String> arguments,
    SortedMap<String, String> environment,
    @Nullable Payload body,
    Returns returns,
    @Nullable Payload detached,
    @Nullable ProgramSecrets secrets,
    SecretTexts hidden)
    implements CallRequest {
  /** Environment variable with the name of the run, the same in all repetitions. */
  public static final String IDEMPOTENCY_KEY = "PINION_IDEMPOTENCY_KEY";

  /** Environment variable with the number of the attempt, from 1. */
  public static final String ATTEMPT = "PINION_ATTEMPT";

  /** Copies list and map. */
  public ProgramRun {
    arguments = List.copyOf(arguments);
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
  }

  /** A run whose secrets are still to be added. */
  public ProgramRun(
      Program program,
      List<String> arguments,
      SortedMap<String, String> environment,
      @Nullable Payload body,
      Returns returns,
      @Nullable Payload detached,
      @Nullable ProgramSecrets secrets) {
    this(program, arguments, environment, body, returns, detached, secrets, SecretTexts.NONE);
  }

  /** A run without secrets. */
  public ProgramRun(
      Program program,
      List<String> arguments,
      SortedMap<String, String> environment,
      @Nullable Payload body,
      Returns returns,
      @Nullable Payload detached) {
    this(program, arguments, environment, body, returns, detached, null);
  }

  /** Output of a task that runs a program. */
  public enum Returns {
    /** What the program wrote to its standard output. */
    STDOUT,
    /** What it wrote to its standard error. */
    STDERR,
    /** Its exit code. */
    CODE,
    /** Exit code and both outputs. */
    ALL,
    /** JSON null. */
    NONE;

    /** Whether the task looks at the exit code itself, so that no code is an error. */
    public boolean hasCode() {
      return this == CODE || this == ALL;
    }
  }

  @Override
  public ProgramRun withBody(Payload other) {
    return new ProgramRun(
        program, arguments, environment, other, returns, detached, secrets, hidden);
  }

  /**
   * The whole run, with the parts that need secrets.
   *
   * @param more further environment variables
   * @param whole the standard input, or null for none
   * @param texts the values of the secrets
   */
  public ProgramRun completed(
      SortedMap<String, String> more, @Nullable Payload whole, SecretTexts texts) {
    SortedMap<String, String> all = new TreeMap<>(environment);
    all.putAll(more);
    return new ProgramRun(program, arguments, all, whole, returns, detached, null, texts);
  }

  @Override
  public boolean showsSecret(String text) {
    return hidden.appearIn(text);
  }

  @Override
  public long heapBytes() {
    return (body == null ? 0 : body.heapBytes()) + (secrets == null ? 0 : secrets.heapBytes());
  }

  @Override
  public ProgramRun withValues(UnaryOperator<Payload> each) {
    return body == null && secrets == null
        ? this
        : new ProgramRun(
            program,
            arguments,
            environment,
            body == null ? null : each.apply(body),
            returns,
            detached,
            secrets == null ? null : secrets.withValues(each),
            hidden);
  }

  /** A copy with two more environment variables. */
  @Override
  public ProgramRun withIdempotencyKey(String key, int attempt) {
    SortedMap<String, String> named = new TreeMap<>(environment);
    named.putIfAbsent(IDEMPOTENCY_KEY, key);
    named.put(ATTEMPT, Integer.toString(attempt));
    return new ProgramRun(program, arguments, named, body, returns, detached, secrets, hidden);
  }

  /** The description alone: environment and standard input may hold secrets. */
  @Override
  public String toString() {
    return description();
  }

  /** Kind of program, and the image of a container. */
  @Override
  public String description() {
    return program instanceof Program.Container container
        ? "run container " + container.image()
        : "run " + program.kind().word();
  }
}
