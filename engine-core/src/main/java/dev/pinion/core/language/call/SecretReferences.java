package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.template.ExpressionText;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds what expressions say of secrets: {@code $secrets.NAME}, with a name that the definition
 * declares. Other forms are refused, so that it is known which secrets a call needs.
 */
final class SecretReferences {
  private static final String SECRETS = "secrets";
  private static final Pattern VARIABLE = Pattern.compile("\\$([A-Za-z_][A-Za-z0-9_]*)");
  private static final Pattern MEMBER =
      Pattern.compile(
          "\\s*+(?:\\.\\s*+([A-Za-z_][A-Za-z0-9_]*)|\\.?\\s*+(?:\\[\\s*+)?\"([^\"\\\\]++)\")");

  private final Set<String> declared;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  /**
   * References of one document.
   *
   * @param declared names of the secrets that it declares
   */
  SecretReferences(
      Set<String> declared, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.declared = declared;
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** The variables that the expressions in a value name, without dollar signs. */
  static Set<String> variables(DocumentValue value) {
    Set<String> names = new TreeSet<>();
    addVariables(value, names);
    return names;
  }

  private static void addVariables(DocumentValue value, Set<String> names) {
    value.members().forEach(member -> addVariables(member, names));
    value.items().forEach(item -> addVariables(item, names));
    Matcher matcher = VARIABLE.matcher(value.text());
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
  }

  /**
   * Whether a value is an expression.
   *
   * @param plain whether strings are expressions without being enclosed
   */
  private boolean isExpression(DocumentValue value, boolean plain) {
    return value.isText()
        && (plain || expressions.isLoose() || ExpressionText.of(value.text()) != null);
  }

  /** Whether a value is an expression or contains some. */
  boolean hasExpressions(DocumentValue value) {
    return isExpression(value, false)
        || value.members().stream().anyMatch(this::hasExpressions)
        || value.items().stream().anyMatch(this::hasExpressions);
  }

  /**
   * Whether the expressions in a value name a variable.
   *
   * @param plain whether strings are expressions without being enclosed
   */
  boolean uses(DocumentValue value, String name, boolean plain) {
    if (value.isText()) {
      return isExpression(value, plain) && variables(value).contains(name);
    }
    return value.members().stream().anyMatch(member -> uses(member, name, false))
        || value.items().stream().anyMatch(item -> uses(item, name, false));
  }

  /** Whether the expressions in a value use secrets. */
  boolean usesSecrets(DocumentValue value, boolean plain) {
    return uses(value, SECRETS, plain);
  }

  /**
   * Checks and returns the names of the secrets that the expressions in a value use.
   *
   * @param plain whether strings are expressions without being enclosed
   */
  Set<String> of(DocumentValue value, boolean plain) {
    Set<String> names = new TreeSet<>();
    collect(value, plain, names);
    return names;
  }

  private void collect(DocumentValue value, boolean plain, Set<String> names) {
    value.members().forEach(member -> collect(member, false, names));
    value.items().forEach(item -> collect(item, false, names));
    if (!isExpression(value, plain)) {
      return;
    }
    Matcher variable = VARIABLE.matcher(value.text());
    while (variable.find()) {
      if (SECRETS.equals(variable.group(1))) {
        reference(value, variable.start(), variable.end(), names);
      }
    }
  }

  private void reference(DocumentValue value, int start, int end, Set<String> names) {
    Matcher member = MEMBER.matcher(value.text()).region(end, value.text().length());
    if (!member.lookingAt()) {
      diagnostics.character(
          value,
          start,
          "expected $secrets.NAME with the name of one of use.secrets, found $secrets alone");
      return;
    }
    String name = member.group(1) == null ? member.group(2) : member.group(1);
    if (check(value, start, name)) {
      names.add(name);
    }
  }

  /** Whether a secret is declared; one that is not is reported at a character of a text. */
  boolean check(DocumentValue value, int index, String name) {
    if (declared.contains(name)) {
      diagnostics.addSecret(value, name);
      return true;
    }
    diagnostics.character(
        value,
        index,
        "expected the name of one of use.secrets ("
            + KnownNames.listed(declared)
            + "), found \""
            + name
            + "\"",
        () -> SpellingSuggestion.of(name, declared));
    return false;
  }
}
