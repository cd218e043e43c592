graph [ directed 1 node [ id 1 label "a&#228;&amp;" value 2 ] node [ id 2 ] edge [ source 1 target 2 weight .5 ] ]
