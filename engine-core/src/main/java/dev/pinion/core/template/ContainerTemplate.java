package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.Program;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes containers from a {@code run} task. Immutable.
 *
 * @param image makes the name of the image
 * @param command makes the command, or null for that of the image
 * @param name makes the name; null for one made of workflow, instance and task
 * @param task name of the task
 * @param ports ports
 * @param volumes volumes
 * @param pull when the image is fetched
 * @param removeAfterNanos makes the time from its end to its removal; null for never
 */
public record ContainerTemplate(
    Expression<String> image,
    @Nullable Expression<String> command,
    @Nullable Expression<String> name,
    String task,
    NameValuePairs ports,
    NameValuePairs volumes,
    Program.Pull pull,
    @Nullable Expression<Long> removeAfterNanos)
    implements Expression<Program.Container> {
  private static final Pattern IMAGE = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.:/@-]{0,511}");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}");

  /** A port, perhaps with an address before it or a protocol behind it. */
  private static final Pattern PORT = Pattern.compile("[0-9a-zA-Z.:\\[\\]/-]{1,64}");

  /**
   * Renders the container.
   *
   * @throws ExpressionException when a part is not of the expected form
   */
  @Override
  public Program.Container evaluate(Payload input, Scope scope, Budget budget) {
    return new Program.Container(
        matched(image.evaluate(input, scope, budget), IMAGE, "the name of an image"),
        command == null ? null : command.evaluate(input, scope, budget),
        name(input, scope, budget),
        pairs(ports.evaluate(input, scope, budget), PORT, "a port"),
        pairs(volumes.evaluate(input, scope, budget), null, "a volume"),
        pull,
        removeAfterNanos == null
            ? Program.Container.NEVER
            : removeAfterNanos.evaluate(input, scope, budget));
  }

  /** The name of the task, else the one that the DSL recommends. */
  private Program.ContainerName name(Payload input, Scope scope, Budget budget) {
    if (name != null) {
      String fixed = matched(name.evaluate(input, scope, budget), NAME, "the name of a container");
      return new Program.ContainerName(fixed, "", "");
    }
    Payload workflow = scope.variable("workflow");
    if (workflow == null) {
      throw new IllegalStateException("expected $workflow in the scope of a task");
    }
    JsonNode document = workflow.json().path("definition").path("document");
    return new Program.ContainerName(
        null,
        document.path("name").asText() + '-',
        '.' + document.path("namespace").asText() + '-' + task);
  }

  private static Map<String, String> pairs(
      Iterable<NameValuePairs.Entry> entries, @Nullable Pattern form, String what) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (NameValuePairs.Entry entry : entries) {
      if (form != null) {
        matched(entry.name(), form, what);
        matched(entry.value(), form, what);
      } else {
        requireVolume(entry.name());
        requireVolume(entry.value());
      }
      pairs.put(entry.name(), entry.value());
    }
    return pairs;
  }

  /** Colons would separate further options. */
  private static void requireVolume(String text) {
    ProgramText.check(text, "volumes");
    if (text.isEmpty() || text.indexOf(':') >= 0 || text.startsWith("-")) {
      throw new ExpressionException(
          "expected a folder or volume without a colon, found \"" + text + "\"");
    }
  }

  private static String matched(String text, Pattern form, String what) {
    if (!form.matcher(text).matches()) {
      throw new ExpressionException("expected " + what + ", found \"" + text + "\"");
    }
    return text;
  }
}
