extension BusObject {
    /// The XML that `busctl introspect` and code generators read.
    public var introspection: String {
        let head = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

            """
        return head + "<node>\n" + BusObject.standardInterfaces + interfaces.map(text).joined() + "</node>\n"
    }

    private func text(_ interface: BusInterface) -> String {
        let parts =
            interface.methods.map { method in
                element(
                    "method", method.name,
                    method.inputs.map { argument($0, "in") } + method.outputs.map { argument($0, "out") })
            }
            + interface.properties.map { property in
                let access = property.set == nil ? "read" : "readwrite"
                return """
                      <property name="\(property.name)" type="\(property.signature)" access="\(access)">
                       <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="\(property.change.rawValue)"/>
                      </property>

                    """
            }
            + interface.signals.map { element("signal", $0.name, $0.arguments.map { argument($0, nil) }) }
        return " <interface name=\"\(interface.name)\">\n" + parts.joined() + " </interface>\n"
    }

    private func element(_ kind: String, _ name: String, _ arguments: [String]) -> String {
        arguments.isEmpty
            ? "  <\(kind) name=\"\(name)\"/>\n"
            : "  <\(kind) name=\"\(name)\">\n" + arguments.joined() + "  </\(kind)>\n"
    }

    private func argument(_ argument: BusArgument, _ direction: String?) -> String {
        let direction = direction.map { " direction=\"\($0)\"" } ?? ""
        return "   <arg name=\"\(argument.name)\" type=\"\(argument.signature)\"\(direction)/>\n"
    }

    private static let standardInterfaces = """
         <interface name="org.freedesktop.DBus.Introspectable">
          <method name="Introspect">
           <arg name="xml_data" type="s" direction="out"/>
          </method>
         </interface>
         <interface name="org.freedesktop.DBus.Properties">
          <method name="Get">
           <arg name="interface_name" type="s" direction="in"/>
           <arg name="property_name" type="s" direction="in"/>
           <arg name="value" type="v" direction="out"/>
          </method>
          <method name="GetAll">
           <arg name="interface_name" type="s" direction="in"/>
           <arg name="properties" type="a{sv}" direction="out"/>
          </method>
          <method name="Set">
           <arg name="interface_name" type="s" direction="in"/>
           <arg name="property_name" type="s" direction="in"/>
           <arg name="value" type="v" direction="in"/>
          </method>
          <signal name="PropertiesChanged">
           <arg name="interface_name" type="s"/>
           <arg name="changed_properties" type="a{sv}"/>
           <arg name="invalidated_properties" type="as"/>
          </signal>
         </interface>

        """
}
