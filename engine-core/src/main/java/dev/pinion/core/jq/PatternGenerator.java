package dev.pinion.core.jq;

import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.code.DestructuringCode;
import dev.pinion.core.jq.syntax.Syntax;
import dev.pinion.core.jq.value.JqValues;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles the right side of {@code as}. */
final class PatternGenerator {
  private final CodeGenerator generator;

  PatternGenerator(CodeGenerator generator) {
    this.generator = generator;
  }

  /** A compiled pattern and the names visible behind it. */
  record GeneratedBinding(DestructuringCode.PatternBinding binding, LexicalScope names) {}

  private record Compiled(DestructuringCode.Binder binder, LexicalScope names) {}

  GeneratedBinding bind(List<Syntax.Pattern> patterns, LexicalScope lexicalScope) {
    if (patterns.size() == 1) {
      Compiled only = compile(patterns.getFirst(), lexicalScope);
      return new GeneratedBinding(
          new DestructuringCode.PatternBinding(only.binder, null), only.names);
    }
    Set<String> variables = new LinkedHashSet<>();
    patterns.forEach(pattern -> collect(pattern, variables));
    List<DestructuringCode.Choice> choices = new ArrayList<>();
    for (Syntax.Pattern pattern : patterns) {
      choices.add(choice(pattern, lexicalScope, variables));
    }
    LexicalScope visible = lexicalScope;
    for (String variable : variables) {
      visible = visible.withVariable(variable);
    }
    DestructuringCode.BindFirst first = new DestructuringCode.BindFirst(choices, variables.size());
    return new GeneratedBinding(new DestructuringCode.PatternBinding(null, first), visible);
  }

  private DestructuringCode.Choice choice(
      Syntax.Pattern pattern, LexicalScope lexicalScope, Set<String> variables) {
    Compiled compiled = compile(pattern, lexicalScope);
    Set<String> own = new LinkedHashSet<>();
    collect(pattern, own);
    int[] hops = new int[variables.size()];
    int i = 0;
    for (String variable : variables) {
      LexicalScope.Entry entry = own.contains(variable) ? compiled.names.variable(variable) : null;
      hops[i++] = entry == null ? -1 : compiled.names.hops(entry);
    }
    return new DestructuringCode.Choice(compiled.binder, hops);
  }

  private static void collect(Syntax.@Nullable Pattern pattern, Set<String> variables) {
    switch (pattern) {
      case null -> {}
      case Syntax.Pattern.Name p -> variables.add(p.name());
      case Syntax.Pattern.Items p -> p.items().forEach(item -> collect(item, variables));
      case Syntax.Pattern.Members p -> {
        for (Syntax.Entry entry : p.entries()) {
          if (entry.name() != null) {
            variables.add(entry.name());
          }
          collect(entry.value(), variables);
        }
      }
    }
  }

  private Compiled compile(Syntax.Pattern pattern, LexicalScope lexicalScope) {
    return switch (pattern) {
      case Syntax.Pattern.Name p ->
          new Compiled(DestructuringCode.BindName.INSTANCE, lexicalScope.withVariable(p.name()));
      case Syntax.Pattern.Items p -> items(p, lexicalScope);
      case Syntax.Pattern.Members p -> members(p, lexicalScope);
    };
  }

  private Compiled items(Syntax.Pattern.Items pattern, LexicalScope lexicalScope) {
    List<DestructuringCode.Part> parts = new ArrayList<>();
    LexicalScope visible = lexicalScope;
    for (int i = 0; i < pattern.items().size(); i++) {
      Compiled item = compile(pattern.items().get(i), visible);
      Code key = new ConstructionCode.Constant(JqValues.number((long) i));
      parts.add(new DestructuringCode.Part(key, false, item.binder));
      visible = item.names;
    }
    return new Compiled(new DestructuringCode.BindParts(parts), visible);
  }

  private Compiled members(Syntax.Pattern.Members pattern, LexicalScope lexicalScope) {
    List<DestructuringCode.Part> parts = new ArrayList<>();
    LexicalScope visible = lexicalScope;
    for (Syntax.Entry entry : pattern.entries()) {
      Code key = generator.key(entry.key(), visible);
      if (entry.name() != null) {
        visible = visible.withVariable(entry.name());
      }
      DestructuringCode.Binder binder = null;
      if (entry.value() != null) {
        Compiled value = compile(entry.value(), visible);
        binder = value.binder;
        visible = value.names;
      }
      parts.add(new DestructuringCode.Part(key, entry.name() != null, binder));
    }
    return new Compiled(new DestructuringCode.BindParts(parts), visible);
  }
}
