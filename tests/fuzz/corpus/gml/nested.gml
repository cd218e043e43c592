Creator "x"
# c
graph [ a [ b [ c 1 ] ] node [ id -1 graphics [ x 1.5 ] ] ]
