package dev.pinion.core.limits;

import dev.pinion.core.model.SpellingSuggestion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reader and builder of {@link EngineLimits} by the names of its record components. */
final class LimitComponents {
  private LimitComponents() {}

  static SortedMap<String, Integer> values(EngineLimits limits) {
    SortedMap<String, Integer> values = new TreeMap<>();
    for (RecordComponent group : EngineLimits.class.getRecordComponents()) {
      Object groupValue = get(group, limits);
      for (RecordComponent limit : group.getType().getRecordComponents()) {
        values.put(group.getName() + "." + limit.getName(), (Integer) get(limit, groupValue));
      }
    }
    return values;
  }

  static EngineLimits with(EngineLimits limits, Map<String, Integer> changes) {
    SortedMap<String, Integer> values = values(limits);
    for (String name : changes.keySet()) {
      if (!values.containsKey(name)) {
        throw new IllegalArgumentException(
            "expected the name of a limit, found \""
                + name
                + "\"; "
                + SpellingSuggestion.hint(name, values.keySet()));
      }
    }
    values.putAll(changes);
    return rebuild(values);
  }

  private static EngineLimits rebuild(Map<String, Integer> values) {
    RecordComponent[] groups = EngineLimits.class.getRecordComponents();
    Object[] built = new Object[groups.length];
    for (int i = 0; i < groups.length; i++) {
      RecordComponent[] limits = groups[i].getType().getRecordComponents();
      Object[] arguments = new Object[limits.length];
      for (int j = 0; j < limits.length; j++) {
        arguments[j] =
            Objects.requireNonNull(values.get(groups[i].getName() + "." + limits[j].getName()));
      }
      built[i] = construct(groups[i].getType(), limits, arguments);
    }
    return (EngineLimits) construct(EngineLimits.class, groups, built);
  }

  private static Object construct(Class<?> type, RecordComponent[] components, Object[] arguments) {
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object get(RecordComponent component, Object record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
