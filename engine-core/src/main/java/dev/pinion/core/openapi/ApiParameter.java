package dev.pinion.core.openapi;

import dev.pinion.core.template.parameter.StyledParameter;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of an operation.
 *
 * @param in the part of the request that has it
 * @param required whether every call must have it
 * @param form its name, and how its value becomes text
 * @param problem why it cannot be sent, or null when it can
 * @param place where the document declares it
 */
public record ApiParameter(
    ParameterPlace in,
    boolean required,
    StyledParameter form,
    @Nullable String problem,
    ApiValue place) {
  /** Its name. */
  public String name() {
    return form.name();
  }

  /** Its name with the place before it, which is unique in an operation. */
  public String qualifiedName() {
    return in.word() + "." + name();
  }

  /** Whether a text is its name; letter case does not matter in a header. */
  public boolean isNamed(String text) {
    return in == ParameterPlace.HEADER ? name().equalsIgnoreCase(text) : name().equals(text);
  }
}
