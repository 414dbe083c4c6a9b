package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.CompletedTaskValues;
import dev.pinion.core.language.field.TaskSubject;
import dev.pinion.core.language.field.VisibleVariables;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects what the parts of a task need that the Invoker evaluates: secrets and variables. */
final class SecretUses {
  private static final Pattern URI_VARIABLE = Pattern.compile("\\{([A-Za-z0-9_.-]+)}");

  /** The present time is a variable of the scope, which the function {@code now} reads. */
  private static final String NOW = "now";

  private static final String TASK = "task";

  private final VisibleVariables visible;
  private final SecretReferences references;
  private final @Nullable TaskSubject subject;
  private final Set<String> secrets = new TreeSet<>();
  private final Set<String> captured = new TreeSet<>();

  /**
   * Uses of one task.
   *
   * @param subject what {@code $task} means in its expressions, or null for the task itself
   */
  SecretUses(VisibleVariables visible, SecretReferences references, @Nullable TaskSubject subject) {
    this.visible = visible;
    this.references = references;
    this.subject = subject;
  }

  /** Names of the secrets. */
  Set<String> secrets() {
    return secrets;
  }

  /** Names of the variables, whose values are kept until then. */
  Set<String> captured() {
    return captured;
  }

  /**
   * Notes what a part uses.
   *
   * @param plain whether strings are expressions without being enclosed
   */
  void note(DocumentValue source, boolean plain) {
    secrets.addAll(references.of(source, plain));
    Set<String> known = visible.ofTask();
    SecretReferences.variables(source).stream().filter(known::contains).forEach(captured::add);
    if (subject != null && captured.contains(TASK)) {
      captured.addAll(subject.variables());
    }
    if (visible.isInCompensation()) {
      captured.addAll(CompletedTaskValues.variables(captured));
    }
    noteTexts(source);
  }

  private void noteTexts(DocumentValue source) {
    source.members().forEach(this::noteTexts);
    source.items().forEach(this::noteTexts);
    if (source.text().contains(NOW)) {
      captured.add(NOW);
    }
    Matcher variable = URI_VARIABLE.matcher(source.text());
    while (variable.find()) {
      if (visible.ofUri().contains(variable.group(1))) {
        captured.add(variable.group(1));
      }
    }
  }
}
